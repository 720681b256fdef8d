"""The commands that games of tricks share (glossary, section 4)."""

from typing import Annotated

from msgspec import Meta

from dealer.rules.frame.commands import Command

CardCode = Annotated[
    str, Meta(pattern=r"^[0-9A-Z]{2,3}[1-9]?$(?!\n)", max_length=4, description="A card, such as `QS1`.")
]


class Play(Command, frozen=True, gc=False, tag="play"):
    """Play a card to the trick."""

    HIDDEN = True
    card: CardCode


class Concede(Command, frozen=True, gc=False, tag="concede"):
    """Give the match up."""
