"""Background work, run by `flask worker`, never by a web process. One job a file; each calls a service."""
