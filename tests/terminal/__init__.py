"""Tests of the table in the terminal, against a log of the engine and the text it must give."""
