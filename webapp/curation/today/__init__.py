"""The dailies that are out, and the list of things that wait for a person."""
