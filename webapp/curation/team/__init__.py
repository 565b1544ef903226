"""The curators: access, second factors, roles."""
