"""The rules of bacará, and its worked examples as data."""
