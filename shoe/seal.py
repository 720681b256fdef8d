"""Sealing of a table's secrets at rest: AES-256-GCM (fairness S-12).

Sealed form: 8 bytes key id, 12 bytes nonce, ciphertext with tag. The caller's AAD says whose secret it is
(log, shuffle, commitment), so that a blob moved elsewhere does not open. Several keys may be held at once:
the active one seals, all of them open, and a rotation opens and seals anew.
"""

import hashlib
from collections.abc import Mapping

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from shoe.entropy import random_bytes

KEY_BYTES = 32
_ID_BYTES = 8
_NONCE_BYTES = 12  # random: good for 2^32 secrets under one key


class SealBroken(Exception):
    """A sealed secret does not open: unknown key, other AAD, or altered bytes."""


def key_id(key: bytes) -> str:
    """The public name of a key: 16 hex digits that tell nothing of the key itself."""
    return hashlib.sha256(b"croupier seal key\n" + key).digest()[:_ID_BYTES].hex()


class Vault:
    """Seals and opens secrets.

    Args:
        keys: 32-byte keys by their `key_id`.
        active: id of the key that seals.

    Raises:
        ValueError: a key is not 32 bytes long or stands under another id, or the active one is missing.
    """

    def __init__(self, keys: Mapping[str, bytes], active: str) -> None:
        for name, key in keys.items():
            if len(key) != KEY_BYTES:
                raise ValueError(f"seal key {name} has not {KEY_BYTES} bytes")
            if name != key_id(key):
                raise ValueError(f"seal key {name} stands under an id that is not its own")
        if active not in keys:
            raise ValueError(f"the active seal key {active} is not among the keys")
        self.active = active
        self._ciphers = {bytes.fromhex(name): AESGCM(key) for name, key in keys.items()}

    def seal(self, plain: bytes, aad: bytes) -> bytes:
        """Encrypt under the active key, bound to the AAD."""
        name = bytes.fromhex(self.active)
        nonce = random_bytes(_NONCE_BYTES)
        return name + nonce + self._ciphers[name].encrypt(nonce, plain, aad)

    def open(self, blob: bytes, aad: bytes) -> bytes:
        """Decrypt what `seal` made, with whichever held key made it.

        Raises:
            SealBroken: the key is not held, the AAD is another, or the bytes were altered.
        """
        cipher = self._ciphers.get(blob[:_ID_BYTES])
        if cipher is None:
            raise SealBroken("sealed under a key that is not held here")
        nonce, sealed = blob[_ID_BYTES : _ID_BYTES + _NONCE_BYTES], blob[_ID_BYTES + _NONCE_BYTES :]
        try:
            return cipher.decrypt(nonce, sealed, aad)
        except (InvalidTag, ValueError):  # ValueError: cut off within the nonce
            raise SealBroken("altered, or sealed for another place") from None
