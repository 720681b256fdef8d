"""Secrets at rest (S-12)."""

import hashlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoe.seal import SealBroken, Vault, key_id

OLD, NEW = bytes(range(32)), bytes(range(32, 64))
AAD = b"mesa.example/t/tbl_01\n7\nb52c95f0"


def _vault(*keys: bytes) -> Vault:
    """A vault of these keys, the first of them active."""
    return Vault({key_id(key): key for key in keys}, key_id(keys[0]))


@given(st.binary(max_size=200), st.binary(max_size=50))
def test_what_was_sealed_opens_again(plain: bytes, aad: bytes) -> None:
    """S-12: the same key and AAD give the secret back, and the blob does not show it."""
    vault = _vault(OLD)
    blob = vault.seal(plain, aad)
    assert vault.open(blob, aad) == plain
    assert len(plain) < 8 or plain not in blob


def test_every_seal_is_another() -> None:
    """S-12: a fresh nonce each time, so that equal secrets are not seen to be equal."""
    vault = _vault(OLD)
    assert len({vault.seal(b"seed", AAD) for _ in range(1000)}) == 1000


@pytest.mark.parametrize("aad", [b"", AAD[:-1], AAD + b"\x00", AAD.replace(b"7", b"8")])
def test_a_secret_does_not_open_elsewhere(aad: bytes) -> None:
    """S-12: bound to table, shuffle and commitment; a wrong AAD is refused."""
    vault = _vault(OLD)
    with pytest.raises(SealBroken, match="another place"):
        vault.open(vault.seal(b"seed", AAD), aad)


def test_any_altered_bit_and_any_cut_is_refused() -> None:
    """S-12: no byte of a sealed secret can be changed, dropped or added unnoticed."""
    vault = _vault(OLD, NEW)
    blob = vault.seal(b"seed", AAD)
    altered = [
        blob[:at] + bytes([blob[at] ^ 1 << bit]) + blob[at + 1 :]
        for at in range(len(blob))
        for bit in range(8)
    ]
    for broken in [*altered, *(blob[:length] for length in range(len(blob))), blob + b"\x00"]:
        with pytest.raises(SealBroken):
            vault.open(broken, AAD)


def test_rotation_opens_the_old_and_seals_with_the_new() -> None:
    """S-12: both keys are held during a rotation; afterwards the old one is of no use."""
    before, during, after = _vault(OLD), _vault(NEW, OLD), _vault(NEW)
    old_blob = before.seal(b"seed", AAD)
    new_blob = during.seal(during.open(old_blob, AAD), AAD)
    assert after.open(new_blob, AAD) == b"seed"
    for vault, blob in ((after, old_blob), (before, new_blob)):
        with pytest.raises(SealBroken, match="not held here"):
            vault.open(blob, AAD)


def test_a_blob_relabelled_with_another_held_key_is_refused() -> None:
    """S-12: the key id only chooses the key; it vouches for nothing."""
    vault = _vault(NEW, OLD)
    blob = vault.seal(b"seed", AAD)
    with pytest.raises(SealBroken, match="altered"):
        vault.open(bytes.fromhex(key_id(OLD)) + blob[8:], AAD)


def test_key_ids_follow_from_the_key_and_tell_nothing() -> None:
    """Design 5: the store names the key in force by an id that anyone with the key can compute."""
    assert key_id(OLD) == hashlib.sha256(b"croupier seal key\n" + OLD).hexdigest()[:16]
    assert key_id(OLD) != key_id(NEW)


@pytest.mark.parametrize(
    ("keys", "active"),
    [
        ({}, key_id(OLD)),
        ({key_id(NEW): NEW}, key_id(OLD)),
        ({key_id(NEW): OLD}, key_id(NEW)),
        ({key_id(OLD[:16]): OLD[:16]}, key_id(OLD[:16])),
        ({"k1": OLD}, "k1"),
    ],
    ids=["none", "active missing", "wrong id", "short", "made-up id"],
)
def test_a_vault_of_wrong_keys_is_not_made(keys: dict[str, bytes], active: str) -> None:
    """Design 5: 32-byte keys under their own ids, the active one among them."""
    with pytest.raises(ValueError, match="seal key"):
        Vault(keys, active)


def test_a_vault_does_not_print_its_keys() -> None:
    """S-15: no key in a representation, and none in the error about it."""
    vault = _vault(OLD)
    with pytest.raises(ValueError, match="seal key") as error:
        Vault({"k1": OLD}, "k1")
    for shown in (repr(vault), str(error.value)):
        assert repr(OLD)[2:-1] not in shown
        assert OLD.hex() not in shown
