"""How good is each system? One file per metric; `base` has what they share, `scoring` the verb."""
