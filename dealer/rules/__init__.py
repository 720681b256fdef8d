"""The rules of the games, pure: one package a game, profiles as data."""
