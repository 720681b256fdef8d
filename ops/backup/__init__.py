"""Copies of a store, made while it is in use."""
