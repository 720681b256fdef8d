"""Báciga: profiles `seed`, `seed-china` and `standard` of the rule sheet `rules/baciga.md`."""
