"""An authenticator in Python: makes passkeys and signs challenges, as WebAuthn level 2 specifies."""

from __future__ import annotations

import hashlib
import json
import secrets
from base64 import urlsafe_b64decode, urlsafe_b64encode
from dataclasses import dataclass, field
from typing import Any

import cbor2
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.hashes import SHA256

PRESENT, VERIFIED, WITH_KEY = 0x01, 0x04, 0x40  # flags of the authenticator's data


def text(data: bytes) -> str:
    return urlsafe_b64encode(data).rstrip(b"=").decode()


@dataclass
class Authenticator:
    """One passkey, on a device that may verify its user and count its uses."""

    origin: str = "http://localhost"
    verifies: bool = True
    counts: bool = True
    uses: int = 0
    handle: bytes = b""
    id: bytes = field(default_factory=lambda: secrets.token_bytes(32))
    key: ec.EllipticCurvePrivateKey = field(default_factory=lambda: ec.generate_private_key(ec.SECP256R1()))

    def create(self, options: str) -> str:
        """Return the result of `navigator.credentials.create()`, as JSON."""
        asked = json.loads(options)
        self.handle = urlsafe_b64decode(asked["user"]["id"] + "==")
        numbers = self.key.public_key().public_numbers()
        public = {1: 2, 3: -7, -1: 1, -2: numbers.x.to_bytes(32, "big"), -3: numbers.y.to_bytes(32, "big")}
        made = bytes(16) + len(self.id).to_bytes(2, "big") + self.id + cbor2.dumps(public)
        attestation = {
            "fmt": "none",
            "attStmt": {},
            "authData": self._data(asked["rp"]["id"], WITH_KEY) + made,
        }
        return self._json(
            {
                "clientDataJSON": text(self._client("webauthn.create", asked["challenge"])),
                "attestationObject": text(cbor2.dumps(attestation)),
            }
        )

    def get(self, options: str) -> str:
        """Return the result of `navigator.credentials.get()`, as JSON."""
        asked = json.loads(options)
        self.uses += self.counts
        data = self._data(asked["rpId"])
        client = self._client("webauthn.get", asked["challenge"])
        signature = self.key.sign(data + hashlib.sha256(client).digest(), ec.ECDSA(SHA256()))
        return self._json(
            {
                "clientDataJSON": text(client),
                "authenticatorData": text(data),
                "signature": text(signature),
                "userHandle": text(self.handle),
            }
        )

    def _data(self, site: str, flags: int = 0) -> bytes:
        flags |= PRESENT | (VERIFIED if self.verifies else 0)
        return hashlib.sha256(site.encode()).digest() + bytes([flags]) + self.uses.to_bytes(4, "big")

    def _client(self, kind: str, challenge: str) -> bytes:
        return json.dumps({"type": kind, "challenge": challenge, "origin": self.origin}).encode()

    def _json(self, response: dict[str, Any]) -> str:
        return json.dumps(
            {"id": text(self.id), "rawId": text(self.id), "type": "public-key", "response": response}
        )
