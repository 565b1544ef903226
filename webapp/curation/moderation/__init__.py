"""Solves under review and names."""
