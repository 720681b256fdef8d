"""Opening a table: game, profile, mode and every option are fixed here, for its whole life."""

from collections.abc import Mapping
from typing import Any

from dealer.rules.frame.commands import OpenTable
from dealer.rules.frame.events import TableOpened
from dealer.rules.frame.game import Decided, Game
from dealer.rules.frame.profile import resolve
from dealer.rules.frame.refusal import Refusal
from dealer.rules.frame.state import Table
from dealer.table import shoes
from shoe.shoe import make_transcript, stacked


def open_table(game: Game, table: Table, command: OpenTable) -> Decided:
    """The first events of a table: what is played at it and how, and the seeds of its first shuffles."""
    if table.seq >= 0:
        return Refusal("key_reused")
    profile = game.profiles.get(command.profile)
    if profile is None or command.mode not in profile.modes:
        return Refusal("option_not_allowed", {"option": "profile" if profile is None else "mode"})
    chosen = dict(command.options)
    automations = chosen.pop("automations", list(profile.automations))
    if not isinstance(automations, list) or not set(automations) <= set(profile.automations):
        return Refusal("option_not_allowed", {"option": "automations"})
    options = resolve(profile, command.mode, chosen)
    if isinstance(options, Refusal):
        return options
    refused = game.check_options(options) or _unlayable(game, table, command, options)
    return refused or [
        TableOpened(
            automations=tuple(a for a in profile.automations if a in automations),
            game=command.game,
            mode=command.mode,
            options=options,
            profile=profile.id,
            profile_version=profile.version,
            stacked=bool(command.stacked),
        ),
        shoes.commit(table.log, 1, command.seeds),
    ]


def _unlayable(game: Game, table: Table, command: OpenTable, options: Mapping[str, Any]) -> Refusal | None:
    """Refuse cards laid by hand that the deck does not hold."""
    if not command.stacked:
        return None
    try:
        first = make_transcript(table.log, 1, game.cards(options), command.seeds[0])
        stacked(first, command.seeds[0], command.stacked)
    except ValueError:
        return Refusal("no_such_card")
    return None
