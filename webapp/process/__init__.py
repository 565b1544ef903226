"""What runs a process: settings, the clock, the database, mail, the web server and its end."""
