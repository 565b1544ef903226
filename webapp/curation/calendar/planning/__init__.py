"""Planning of dailies: a year at a glance, weekdays, themes and notes; results of past dailies."""
