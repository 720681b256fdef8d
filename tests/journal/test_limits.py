"""The limits of an append (design.md section 4), each at its edge."""

import pytest

from dealer.journal import Appended, Entry, Extras, Journal
from tests.journal.makers import NONE, TABLE, entry

KIB = 1024


async def test_the_largest_append_goes_through(journal: Journal) -> None:
    """64 commands, 512 events, 1 MiB: exactly so much may be appended and is read back."""
    event = b"e" * (2 * KIB - 2)
    batch = [entry(f"k{i}", *[event] * 8, outcome=b"o" * 16) for i in range(64)]
    assert await journal.append(TABLE, -1, batch, NONE) == Appended(0, 511)
    assert await journal.read(TABLE) == [event] * 512


async def test_the_largest_event_and_the_largest_entry_go_through(journal: Journal) -> None:
    """One event of 32 KiB; 512 events and a thousand of each extra in one command."""
    assert await journal.append(TABLE, -1, [entry("a", b"e" * 32 * KIB)], NONE) == Appended(0, 0)
    many = [str(i) for i in range(1024)]
    extras = Extras(
        secrets=dict.fromkeys(many, b"s"),
        people=dict.fromkeys(many, "p"),
        rounds={i: 1 + i % 512 for i in range(1024)},
    )
    assert await journal.append(TABLE, 0, [entry("b", *[b"e"] * 512)], extras) == Appended(1, 512)
    assert len(await journal.secrets(TABLE)) == len(await journal.people(TABLE)) == 1024
    assert len(await journal.rounds(TABLE, limit=2000)) == 1024
    delete = Extras(secrets=dict.fromkeys(many))
    await journal.append(TABLE, 512, [entry("c", b"e")], delete)
    assert await journal.secrets(TABLE) == {}


@pytest.mark.parametrize(
    ("batch", "reason"),
    [
        ([], "0 entries"),
        ([entry(f"k{i}") for i in range(65)], "65 entries"),
        ([entry("k", *[b"e"] * 513)], "513 events"),
        ([entry("k", *[b"e"] * 256), entry("l", *[b"e"] * 257)], "513 events"),
        ([entry("k", b"e" * (32 * KIB + 1))], "an event of 32769 bytes"),
        (
            [entry("k", *[b"e" * 32 * KIB] * 32, outcome=b""), entry("l", outcome=b"o")],
            "1048577 bytes",
        ),
        ([entry("k", b"e"), entry("l"), entry("k")], "a key occurs twice"),
    ],
)
async def test_more_is_refused_before_it_is_sent(journal: Journal, batch: list[Entry], reason: str) -> None:
    """One too many of anything is a ValueError, and nothing is written."""
    with pytest.raises(ValueError, match=reason):
        await journal.append(TABLE, -1, batch, NONE)
    assert await journal.last(TABLE) == -1


@pytest.mark.parametrize(
    "extras",
    [
        Extras(secrets={str(i): None for i in range(1025)}),
        Extras(people={str(i): "p" for i in range(1025)}),
        Extras(rounds=dict.fromkeys(range(1025), 1)),
        Extras(rounds={1: 0}),
        Extras(rounds={1: 2}),
    ],
)
async def test_extras_have_limits_too(journal: Journal, extras: Extras) -> None:
    """No more extras than the engine takes at once, and no round that begins outside the append."""
    await journal.append(TABLE, -1, [entry("a", b"0")], NONE)
    with pytest.raises(ValueError, match=r"in one append|no event of this append"):
        await journal.append(TABLE, 0, [entry("b", b"1")], extras)
    assert await journal.last(TABLE) == 0


async def test_nothing_comes_before_the_empty_log(journal: Journal) -> None:
    """-1 is the version of the empty log; there is none below."""
    with pytest.raises(ValueError, match="expected is -2"):
        await journal.append(TABLE, -2, [entry("a", b"0")], NONE)


async def test_the_same_key_of_two_principals_may_share_a_batch(journal: Journal) -> None:
    """Keys are told apart by their principal."""
    batch = [entry("k", b"0"), entry("k", b"1", principal="acc_2")]
    assert await journal.append(TABLE, -1, batch, NONE) == Appended(0, 1)
