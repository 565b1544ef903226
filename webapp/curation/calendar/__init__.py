"""The calendar of dailies."""
