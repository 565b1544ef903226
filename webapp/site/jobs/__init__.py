"""Background work, run by `flask worker`, never by a web process. One job per file; each calls a service."""
