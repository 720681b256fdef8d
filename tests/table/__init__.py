"""A table as an aggregate: who may act, seats, chips, shoes, decisions, and what is never shown."""
