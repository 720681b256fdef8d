"""Tests of the shoe: chance, seals and proofs, measured against the published vectors."""
