"""The HTTP API of the desk: the verbs of `flask desk` for programs, behind tokens of curators."""
