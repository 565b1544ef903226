"""The laboratory: five published systems solve or generate a puzzle, side by side and step by step."""
