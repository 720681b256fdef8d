"""Exact odds of bacará."""
