"""The frame every game stands on: events, commands, the public state of a table, chance and refusals.

Nothing here knows a game. A game is a `Game` object (see `game.py`) that adds its own events,
commands and phases to this frame.
"""
