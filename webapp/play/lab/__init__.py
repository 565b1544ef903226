"""The laboratory: the five published systems at work on one puzzle, side by side and step by step."""
