"""The tests of croupier."""
