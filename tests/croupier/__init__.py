"""Tests of the croupier: desks, nodes, purse, clocks and bots, on a real Valkey."""
