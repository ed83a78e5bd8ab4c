"""Rewards for training: metrics as reward functions, and a differentiable surrogate of BLEU."""
