"""Planning of dailies: a year at a glance, weekdays, themes and notes; what became of those of the past."""
