"""Benchmarks: the service measured beside the yardstick, round by round, on the same machine."""
