"""What others than the bank itself put on the shelf: submissions of players, collections of curators."""
