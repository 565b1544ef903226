"""The HTTP API of the desk: the actions of `flask desk` for programs, authorized by curators' tokens."""
