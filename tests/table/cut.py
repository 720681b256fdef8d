"""People who cut: their secrets, and their commands as their programs would send them."""

from hashlib import sha256
from typing import Any

from dealer.rules.frame import commands as cmd
from dealer.rules.frame.event import Event
from dealer.rules.frame.events import ShoeSealed
from shoe.corte import contribution_commit
from tests.shoe import reference
from tests.table.rig import LOG, Rig, pid


def secret(number: int) -> str:
    """The 32 bytes a person with this number has drawn."""
    return sha256(f"secret of {number}".encode()).hexdigest()


def bound(rig: Rig, number: int, cut: int) -> cmd.CutCommit:
    """The commitment under this number, made from what the view shows."""
    seen = rig.view()["cut"]
    digest = contribution_commit(LOG, seen["shuffle"], seen["commitment"], number, cut, secret(number))
    return cmd.CutCommit(commit=digest)


def commit(rig: Rig, number: int, cut: int = 10) -> list[Event]:
    """The person under this number commits, and it is taken."""
    return rig.play(number, bound(rig, number, cut))


def watching(rig: Rig, number: int, cut: int = 10) -> cmd.CutCommit:
    """The commitment of a spectator, who names his number."""
    return cmd.CutCommit(commit=bound(rig, number, cut).commit, seat=number)


def opening(number: int, cut: int = 10) -> cmd.CutReveal:
    """What opens the commitment of this number, whoever brings it."""
    return cmd.CutReveal(cut=cut, reveal=secret(number), seat=number)


def reveal(rig: Rig, number: int, cut: int = 10) -> list[Event]:
    """The person under this number opens his commitment, and it is taken."""
    return rig.play(number, cmd.CutReveal(cut=cut, reveal=secret(number)))


def seated(willing: tuple[int, ...], others: tuple[int, ...] = (), **chosen: Any) -> Rig:
    """A table with these people, some of them willing to cut, before anybody banks."""
    rig = Rig(**chosen)
    for number in (*willing, *others):
        rig.sit(number)
    for number in willing:
        rig.play(number, cmd.SetCutWilling(willing=True))
    return rig


def asked(willing: tuple[int, ...], others: tuple[int, ...] = (), **chosen: Any) -> Rig:
    """The same table with the house's bank: the cut of its first shoe is open."""
    rig = seated(willing, others, **chosen)
    rig.fund()
    return rig


def check_seal(rig: Rig, seed: bytes) -> list[int]:
    """The last seal is what an outsider makes of its transcript and the seed; the order it binds."""
    sealed = rig.of(ShoeSealed)[-1]
    transcript = sealed.transcript
    plain = {
        "beacon": "",
        "commitment": sha256(f"corte/1 seed\n{LOG}\n{sealed.shuffle}\n".encode() + seed).hexdigest(),
        "contributions": [
            {"commit": c.commit, "cut": c.cut, "reveal": c.reveal, "seat": c.seat}
            for c in transcript.contributions
        ],
        "cutter": transcript.cutter,
        "deck": {"kind": "fr52", "packs": 3},
        "profile": "corte/1",
        "shuffle": sealed.shuffle,
        "table": LOG,
    }
    digest = sha256(reference.canonical(plain)).digest()
    uncut, _ = reference.shuffle(reference.stream(seed, b"corte/1 shuffle", digest, 4096), 156)
    cut = next((c.cut for c in transcript.contributions if c.seat == transcript.cutter), 0)
    order = uncut[cut:] + uncut[:cut]
    nonces = reference.stream(seed, b"corte/1 card", digest, 32 * 156)
    leaves = [
        sha256(
            b"\x00corte/1 card\n"
            + nonces[32 * pos : 32 * pos + 32]
            + pos.to_bytes(2, "big")
            + card.to_bytes(2, "big")
        ).digest()
        for pos, card in enumerate(order)
    ]
    assert sealed.transcript_hash == digest.hex()
    assert sealed.shoe_root == reference.tree_head(leaves).hex()
    assert sealed.contributors == len(transcript.contributions)
    seats = [c.seat for c in transcript.contributions]
    assert seats == sorted(set(seats))
    return order


def code(rig: Rig, command: cmd.Command, number: int) -> str:
    """The code with which a command is refused to the person under this number."""
    return rig.refusal(command, pid(number), "player").code
