"""Tests of the cage: the double-entry ledger and its holds."""
