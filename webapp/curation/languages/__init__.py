"""The completeness of each translation, for curators."""
