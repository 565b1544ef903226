"""What is stored, as an operator handles it: backed up, restored, verified, copied, pruned."""
