"""A toy capability, made by the recipe of CONTRIBUTING."""
