"""COMET models: a reader of Unbabel's checkpoints, and what each class of model computes."""
