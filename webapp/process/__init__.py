"""Process infrastructure: settings, clock, database, mail, web server and exit."""
