"""The site as a whole: its blueprints, home page, commands, jobs and health."""
