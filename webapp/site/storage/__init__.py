"""Operators' handling of stored data: backup, restore, verification, copying, pruning."""
