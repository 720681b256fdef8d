"""Tests of the words people read: every code has its sentence, in every language."""
