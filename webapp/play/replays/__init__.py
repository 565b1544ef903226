"""Reviews of one's own solves, and replays of closed dailies that players share."""
