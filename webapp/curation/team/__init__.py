"""Who works at the desk: access, second factors, roles."""
