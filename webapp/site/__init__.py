"""The site as a whole: home page, guide, commands, worker and health checks."""
