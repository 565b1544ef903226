"""What players and operators do, as verbs that own their transactions. They know no request."""
