"""Báciga."""
