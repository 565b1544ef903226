"""What an operator relies on: log lines, figures, patience with the database, and a guarded web server."""
