"""What a log says when it cannot be what the house wrote."""


class Broken(Exception):
    """The first thing that is wrong with a log, in a sentence."""
