"""The game: rules, tables, cage, journal, the croupier that runs them, and the doors."""
