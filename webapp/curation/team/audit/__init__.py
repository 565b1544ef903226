"""The audit log as pages: each entry as a sentence."""
