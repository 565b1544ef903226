"""The calendar of dailies and its slots."""
