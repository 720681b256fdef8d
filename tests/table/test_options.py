"""`options` is a promise: whatever it lists can be sent back as it stands, and is taken (design 3, 8)."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dealer.rules.frame import commands as cmd
from dealer.rules.frame.game import Option
from dealer.table import hosting
from dealer.table.snapshot import flaw
from tests.table.chores import do_chores, play_bot
from tests.table.cut import asked, commit, watching
from tests.table.offers import Offer, Offers
from tests.table.rig import HOST, OTHER_HOST, Rig, by_hand, pid

SEATS = (1, 2, 11, 1001)
STEPS = st.lists(st.tuples(st.integers(0, 15), st.integers(0, 10**6)), min_size=12, max_size=45)
TABLES: st.SearchStrategy[dict[str, Any]] = st.fixed_dictionaries(
    {},
    optional={
        "bank_modes": st.sampled_from([["volunteer"], ["auction", "volunteer"], ["lot", "house"]]),
        "min_stake": st.just(5),
        "max_stake": st.just(20),
        "min_bank": st.just(10),
        "max_bank": st.just(40),
        "house_bank": st.just(30),
        "coverage": st.just("after"),
        "stop_card": st.sampled_from([140, 155]),
        "corte": st.sampled_from(["off", "required"]),
        "min_contributors": st.sampled_from([1, 3]),
        "cut_spectators": st.just(True),
        "automations": st.sampled_from([[], ["call", "deal", "settle"]]),
    },
)
RARE = {"close_table", "pause", "propose_correction", "leave", "cash_out", "buy_in"}
"""Done rarely, so that most playouts go far."""


class Playout:
    """People, a bot and two hosts at a small table, who do nothing but what they are offered."""

    def __init__(self, luck: int, chosen: dict[str, Any]) -> None:
        self._luck = luck
        self.rig = Rig(luck=luck, seats_per_pano=2, **chosen)
        self.offers = Offers(self.rig)
        for seat in SEATS:
            self.rig.sit(seat, 60)
        self.rig.host(cmd.SeatBot(seat=12, policy="steady"), "pid_12")
        self.rig.buy_in(12, 60)

    def step(self, kind: int, pick: int) -> None:
        """Time passes, the bot acts, or somebody does one of the things he may."""
        self.rig.now += 10
        if kind < 3:
            self._time()
        elif kind < 5:
            play_bot(self.rig)
        else:
            every = list(self.offers)
            of_one_kind = self._of_one_kind(every, pick)
            if of_one_kind:
                self.offers.take(of_one_kind[pick % len(of_one_kind)])
        do_chores(self.rig, self._luck)

    def _of_one_kind(self, every: list[Offer], pick: int) -> list[Offer]:
        """One kind of command has the same chance as another, however often it is listed."""
        kinds = sorted({option.type for _, _, option, _ in every} - (RARE if pick % 10 else set()))
        kind = kinds[pick // 10 % len(kinds)] if kinds else ""
        return [offer for offer in every if offer[2].type == kind]

    def _time(self) -> None:
        timed = [d for d in self.rig.due() if d.kind == "timeout" and d.until is not None]
        for due in timed[:1]:
            self.rig.now = max(self.rig.now, due.until or 0)
            self.rig.send(cmd.Expire(decision=due.decision))


@pytest.mark.usefixtures("uncounted")
@settings(max_examples=20, deadline=None)
@given(STEPS, TABLES, st.integers(0, 10**6))
def test_whatever_is_offered_can_be_sent_back(
    steps: list[tuple[int, int]], chosen: dict[str, Any], luck: int
) -> None:
    """Each option of a seat and of a host, at the ends of its bounds, is decoded and taken (design 3, 8).

    And whatever comes of it is a state that can be (design 5, Snapshots).
    """
    playout = Playout(luck, chosen)
    for number, (kind, pick) in enumerate(steps):
        playout.step(kind, pick)
        assert flaw(playout.rig.game, playout.rig.table) == ""
        if number % 3 == 0:
            playout.offers.check()


def test_a_host_is_told_what_he_may_do() -> None:
    """Free seats for bots, the end of what is waited for, and what concerns the table itself (design 8)."""
    rig = by_hand("dealing", seats_per_pano=2)
    decision = rig.clock().decision
    assert hosting.options(rig.game, rig.table, HOST) == [
        Option("deal"),
        Option("expire", decision),
        Option("pause"),
        *(Option("seat_bot", fields={"seat": seat, "policy": "steady"}) for seat in (2, 12)),
        Option("close_table", fields={"now": False}),
        Option("close_table", fields={"now": True}),
        Option("propose_correction", fields={"kind": "void_round"}),
        Option("propose_correction", fields={"kind": "void_shoe"}),
    ]
    rig.host(cmd.Pause())
    rig.host(cmd.ProposeCorrection(kind="void_round"))
    told = {by: hosting.options(rig.game, rig.table, by) for by in (HOST, OTHER_HOST)}
    assert [option.type for option in told[HOST] if "table" not in option.type] == [
        "resume",
        *["propose_correction"] * 3,
        "reject_correction",
    ]
    theirs = [option for option in told[OTHER_HOST] if option not in told[HOST]]
    named = {"kind": "void_round", "proposal": rig.table.seq}
    assert theirs == [Option("approve_correction", fields=named)]


def test_a_host_acts_for_a_seat_by_its_name_and_tries_no_hidden_hand() -> None:
    """What a seat may do comes with the seat; a word that depends on its cards does not (design 8)."""
    rig = by_hand("speak_right")
    own = [option.type for option in rig.options(1)]
    told = hosting.for_seat(rig.game, rig.table, rig.chance, 1)
    assert sorted(own) == sorted(["draw", "set_cut_willing", *(option.type for option in told)])
    assert {option.fields["seat"] for option in told} == {1}


def test_who_only_watches_is_offered_his_own_part_of_a_cut() -> None:
    """Bound once he is not asked again, and he opens his own commitment, not another's (fairness 1.7)."""
    rig = asked((1,), cut_spectators=True)
    offered = rig.options(0, pid(101))
    assert [option.fields for option in offered if option.type == "cut_commit"] == [{"seat": 101}]
    rig.play(101, watching(rig, 101))
    commit(rig, 1)
    for number, opens in ((101, [{"seat": 101}]), (102, [])):
        offered = rig.options(0, pid(number))
        assert [option.fields for option in offered if option.type.startswith("cut")] == opens
