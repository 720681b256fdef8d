"""The shuffle `corte/1` against its vectors and other people's key derivation (fairness 1.4, 1.12)."""

import collections
import shutil
import subprocess
from typing import Any

import msgspec
import pytest
import rfc8785
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.kbkdf import KBKDFHMAC, CounterLocation, Mode
from hypothesis import given
from hypothesis import strategies as st

from shoe.corte import (
    CARD_LABEL,
    SHUFFLE_LABEL,
    Transcript,
    commitment,
    contribution_commit,
    kbkdf,
    order,
    permutation,
)
from tests.shoe import reference

LOG = "mesa.example/t/tbl_01"
records = pytest.mark.parametrize("vector", reference.VECTORS, ids=reference.NAMES)


def _transcript(vector: dict[str, Any]) -> Transcript:
    return msgspec.convert(vector["transcript"], Transcript)


@records
def test_commitments_are_those_of_the_vectors(vector: dict[str, Any]) -> None:
    """Fairness 1.4, steps 1 and 3: the house's commitment and every contribution's."""
    shown = vector["transcript"]
    log, shuffle = shown["table"], shown["shuffle"]
    assert commitment(log, shuffle, bytes.fromhex(vector["seed"])) == shown["commitment"]
    for each in shown["contributions"]:
        args = (log, shuffle, shown["commitment"], each["seat"], each["cut"], each["reveal"])
        assert contribution_commit(*args) == each["commit"]


@records
def test_transcript_bytes_and_hash_are_those_of_the_vectors(vector: dict[str, Any]) -> None:
    """Fairness 1.4, step 6: canonical JSON, and its hash."""
    transcript = _transcript(vector)
    assert transcript.to_bytes() == rfc8785.dumps(vector["transcript"])
    assert transcript.to_bytes() == reference.canonical(vector["transcript"])
    assert transcript.hash() == vector["transcript_hash"]


@records
def test_order_is_that_of_the_vectors(vector: dict[str, Any]) -> None:
    """Fairness 1.4, steps 7 to 9: stream head, cut, whole order, first twelve ids and faces."""
    transcript, seed = _transcript(vector), bytes.fromhex(vector["seed"])
    stream = kbkdf(seed, SHUFFLE_LABEL, vector["transcript_hash"], 4096)
    assert stream[:32].hex() == vector["stream_first_32"]
    assert transcript.cut == vector["cut_applied"]
    assert transcript.deck.size == vector["cards"]
    cards = order(seed, transcript)
    assert reference.order_hash(cards) == vector["order_sha256"]
    assert list(cards[:12]) == vector["first_12_ids"]
    assert [transcript.deck.face(card) for card in cards[:12]] == vector["first_12"]
    uncut = permutation(stream, transcript.deck.size)
    assert cards == uncut[transcript.cut :] + uncut[: transcript.cut]


@records
def test_the_vectors_would_catch_a_forgotten_rejection(vector: dict[str, Any]) -> None:
    """Fairness 1.5: each record runs the rejection path, so that a biased shuffle gives another order."""
    size, cut = vector["cards"], vector["cut_applied"]
    stream = kbkdf(bytes.fromhex(vector["seed"]), SHUFFLE_LABEL, vector["transcript_hash"], 4096)
    right, rejected = reference.shuffle(stream, size)
    wrong, none = reference.shuffle(stream, size, forget_rejection=True)
    assert (rejected, none) == (vector["rejected_words"], 0)
    assert rejected > 0
    assert permutation(stream, size) == tuple(right)
    assert reference.order_hash(wrong[cut:] + wrong[:cut]) == vector["order_sha256_if_rejection_is_forgotten"]
    assert vector["order_sha256_if_rejection_is_forgotten"] != vector["order_sha256"]


@records
def test_openssl_gives_the_same_streams(vector: dict[str, Any]) -> None:
    """Decision 13: the `openssl kdf` command of any machine prints our stream, and our nonces."""
    openssl = shutil.which("openssl")
    assert openssl is not None
    for label, length in ((SHUFFLE_LABEL, 4096), (CARD_LABEL, 32 * vector["cards"])):
        options = {
            "mac": "HMAC",
            "digest": "SHA256",
            "mode": "COUNTER",
            "hexkey": vector["seed"],
            "hexsalt": label.encode().hex(),
            "hexinfo": vector["transcript_hash"],
        }
        command = [openssl, "kdf", "-binary", "-keylen", str(length)]
        for name, value in options.items():
            command += ["-kdfopt", f"{name}:{value}"]
        printed = subprocess.run([*command, "KBKDF"], capture_output=True, check=True).stdout
        assert printed == kbkdf(bytes.fromhex(vector["seed"]), label, vector["transcript_hash"], length)


@given(
    seed=st.binary(min_size=32, max_size=32),
    label=st.sampled_from([SHUFFLE_LABEL, CARD_LABEL, "x"]),
    context=st.binary(min_size=32, max_size=32),
    length=st.integers(1, 700),
)
def test_the_stream_is_standard_kbkdf(seed: bytes, label: str, context: bytes, length: int) -> None:
    """Fairness 1.4, step 7: equal to `cryptography`'s SP 800-108 and to six lines of HMAC, for any length."""
    standard = KBKDFHMAC(
        algorithm=SHA256(),
        mode=Mode.CounterMode,
        length=length,
        rlen=4,
        llen=4,
        location=CounterLocation.BeforeFixed,
        label=label.encode(),
        context=context,
        fixed=None,
    )
    ours = kbkdf(seed, label, context.hex(), length)
    assert ours == standard.derive(seed) == reference.stream(seed, label.encode(), context, length)


@given(st.integers(2, 520), st.binary(min_size=1400, max_size=1400))
def test_any_stream_gives_a_permutation(size: int, stream: bytes) -> None:
    """Fairness 1.4, step 8: each card exactly once, and the order of the literal algorithm."""
    cards = permutation(stream, size)
    assert sorted(cards) == list(range(size))
    assert list(cards) == reference.shuffle(stream, size)[0]


def test_a_draw_among_three_is_exactly_even() -> None:
    """Fairness 1.5: over all 65,536 words the three outcomes are equally many and one word is passed over."""
    outcomes: collections.Counter[int] = collections.Counter()
    for word in range(65535):
        outcomes[permutation(word.to_bytes(2, "big") + b"\x00\x01", 3)[2]] += 1
    assert outcomes == {0: 21845, 1: 21845, 2: 21845}
    assert permutation(b"\xff\xff" + b"\x00\x01\x00\x01", 3) == permutation(b"\x00\x01\x00\x01", 3)


def test_a_stream_that_runs_out_is_refused() -> None:
    """Fairness 1.4, step 8: never a shorter or a half-shuffled deck."""
    with pytest.raises(ValueError, match="ran out"):
        permutation(b"\x00\x01" * 50, 52)
    with pytest.raises(ValueError, match="ran out"):
        permutation(b"\xff\xff" * 2, 3)


@pytest.mark.parametrize(
    "change",
    [
        {"log": LOG + "2"},
        {"shuffle": 2},
        {"commitment": "ab" * 32},
        {"seat": 3},
        {"cut": 5},
        {"reveal": "ef" * 32},
    ],
    ids=lambda change: next(iter(change)),
)
def test_a_contribution_is_bound_to_all_of_its_parts(change: dict[str, Any]) -> None:
    """Fairness 1.10, rows 13 and 16: copied to another seat, shuffle or table, it opens nothing."""
    honest: dict[str, Any] = {
        "log": LOG,
        "shuffle": 1,
        "commitment": "00" * 32,
        "seat": 2,
        "cut": 4,
        "reveal": "cd" * 32,
    }
    assert contribution_commit(**{**honest, **change}) != contribution_commit(**honest)


@pytest.mark.parametrize(
    "reveal", ["CD" * 32, "cd " * 32, "cd" * 31, "cd" * 33, "cd" * 32 + "\n", "", "zz" * 32]
)
def test_a_reveal_has_one_spelling(reveal: str) -> None:
    """Fairness 1.4, step 6: another spelling of the same bytes would change the transcript."""
    with pytest.raises(ValueError, match="64 lowercase hex"):
        contribution_commit(LOG, 1, "00" * 32, 2, 4, reveal)


@pytest.mark.parametrize("log", ["a\nb", "a b", "", "\u00e1", "a" * 256, "a\n"])
def test_an_origin_cannot_blur_the_header(log: str) -> None:
    """Fairness 1.2: the origin is one line of ASCII."""
    with pytest.raises(ValueError, match="origin"):
        commitment(log, 1, bytes(32))
    with pytest.raises(ValueError, match="origin"):
        contribution_commit(log, 1, "00" * 32, 2, 4, "cd" * 32)


@pytest.mark.parametrize("seed", [b"", bytes(31), bytes(33)])
def test_a_seed_has_32_bytes(seed: bytes) -> None:
    """Fairness 1.4, step 1: nothing shorter is ever committed or expanded."""
    with pytest.raises(ValueError, match="32 bytes"):
        commitment(LOG, 1, seed)
    with pytest.raises(ValueError, match="32 bytes"):
        kbkdf(seed, SHUFFLE_LABEL, "00" * 32, 32)


def _with(change: dict[str, Any]) -> dict[str, Any]:
    return {**reference.VECTORS[0]["transcript"], **change}


def _seats(*seats: int, cut: int = 5) -> list[dict[str, Any]]:
    return [{"commit": "00" * 32, "cut": cut, "reveal": "00" * 32, "seat": seat} for seat in seats]


@pytest.mark.parametrize(
    "change",
    [
        {"contributions": _seats(3, 1)},
        {"contributions": _seats(3, 3)},
        {"contributions": _seats(0)},
        {"contributions": _seats(1, cut=0)},
        {"contributions": _seats(1, cut=312)},
        {"table": "a\nb"},
        {"beacon": "drand"},
        {"beacon": {}},
        {"profile": "corte/2"},
        {"cutter": -1},
        {"shuffle": 0},
        {"shuffle": 2**53},
        {"shuffle": True},
        {"commitment": "AB" * 32},
        {"commitment": "ab" * 32 + "\n"},
        {"deck": {"kind": "fr52", "packs": 6, "jokers": 2}},
        {"note": "x"},
    ],
    ids=str,
)
def test_a_transcript_of_another_form_is_refused(change: dict[str, Any]) -> None:
    """Fairness 1.4, step 6: one form only, ascending seats, cuts within the deck, nothing beside it."""
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert(_with(change), Transcript)


def test_no_field_of_a_transcript_is_filled_in() -> None:
    """Fairness 1.4, step 6: what was not published is not hashed."""
    whole = reference.VECTORS[0]["transcript"]
    for name in whole:
        with pytest.raises(msgspec.ValidationError, match=name):
            msgspec.convert({key: value for key, value in whole.items() if key != name}, Transcript)


def test_only_the_cutter_cuts() -> None:
    """Fairness 1.4, step 9: the cutter's cut if the cutter contributed, else none."""
    shown = _with({"contributions": _seats(1, 3)})
    shown["contributions"][0]["cut"] = 311
    assert msgspec.convert({**shown, "cutter": 1}, Transcript).cut == 311
    assert msgspec.convert({**shown, "cutter": 3}, Transcript).cut == 5
    assert msgspec.convert({**shown, "cutter": 2}, Transcript).cut == 0
    assert msgspec.convert({**shown, "cutter": 0}, Transcript).cut == 0
