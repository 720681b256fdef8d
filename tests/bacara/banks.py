"""Tables at which players bank, and the words by which they come to it."""

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from dealer.rules.bacara.commands import Consent, OfferBank
from dealer.rules.frame.commands import Command
from dealer.rules.registry import GAMES
from tests.table.rig import Rig

_KINDS: dict[str, type[Command]] = {str(k.__struct_config__.tag): k for k in GAMES["bacara"].commands}


def word(say: str, **fields: Any) -> Command:
    """A command of the game as it comes through a door."""
    command: Command = msgspec.convert({"type": say, **fields}, _KINDS[say])
    return command


def peopled(seats: Mapping[int, int], laid: Sequence[str] = (), **chosen: Any) -> Rig:
    """A table with people and their stacks by number."""
    rig = Rig(laid, **chosen)
    for seat, chips in seats.items():
        rig.sit(seat, chips)
    return rig


def banked(
    seats: Mapping[int, int], banker: int, amount: int, laid: Sequence[str] = (), **chosen: Any
) -> Rig:
    """A table at which one of them has become the banker by everybody's consent."""
    rig = peopled(seats, laid, **{"bank_modes": ["volunteer"], **chosen})
    rig.play(banker, OfferBank(amount=amount))
    for seat in rig.clock().seats if rig.table.phase == "no_bank" else ():
        rig.play(seat, Consent(yes=True))
    assert rig.view()["banker"] == banker
    return rig


def seeking(rig: Rig) -> dict[str, Any]:
    """What everybody sees of the search for a banker, with its step."""
    seen: dict[str, Any] = rig.view()["seeking"]
    return {"step": rig.view()["bank_step"], **{name: value for name, value in seen.items() if value}}
