"""The one way the store says no."""

__all__ = ["StoreRefused"]


class StoreRefused(Exception):
    """The store cannot be opened, or not safely, and a person has to do something about it.

    Attributes:
        code: stable, for programs: lower case with underscores.
        sentence: for people: what is wrong and what helps. Never holds a password or a key.
    """

    def __init__(self, code: str, sentence: str) -> None:
        super().__init__(sentence)
        self.code = code
        self.sentence = sentence
