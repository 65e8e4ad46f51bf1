"""What is sealed in an encrypted space: secrets of epochs in age files, and operations."""
import base64
import hashlib
import hmac

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

BECH32 = "qpzry9x8gf2tvdw0s3jn54khce6mua7l"
SMALLEST = 256


class Broken(Exception):
    """A key is here, and what it opens is nothing."""


def hkdf(key, salt, info):
    return HKDF(hashes.SHA256(), 32, salt, info).derive(key)


def public_key(secret):
    key = X25519PrivateKey.from_private_bytes(secret)
    return key.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw)


def recipient(secret):
    """The text `age1…` of a secret."""
    values, bits, count = [], 0, 0
    for byte in public_key(secret):
        bits, count = bits << 8 | byte, count + 8
        while count >= 5:
            count -= 5
            values.append(bits >> count & 31)
    values.append(bits << 5 - count & 31)
    check = checksum([3, 3, 3, 0, 1, 7, 5] + values + [0] * 6) ^ 1
    values += [check >> 5 * (5 - place) & 31 for place in range(6)]
    return "age1" + "".join(BECH32[value] for value in values)


def checksum(values):
    state = 1
    for value in values:
        top = state >> 25
        state = (state & 0x1FFFFFF) << 5 ^ value
        for place, generator in enumerate(
                (0x3B6A57B2, 0x26508E6D, 0x1EA119FA, 0x3D4233DD, 0x2A1462B3)):
            if top >> place & 1:
                state ^= generator
    return state


def unbase64(text):
    return base64.b64decode(text + "=" * (-len(text) % 4))


def unwrap(file, secret):
    """The secrets in a short age file for this X25519 key; none when it is not for it."""
    head, found, rest = file.partition(b"\n--- ")
    lines = head.decode("ascii", "replace").split("\n")
    if not found or lines[0] != "age-encryption.org/v1":
        return []
    code, _, payload = rest.partition(b"\n")
    own = public_key(secret)
    for place, line in enumerate(lines):
        if not line.startswith("-> X25519 "):
            continue
        try:
            share, body = unbase64(line.split(" ")[2]), unbase64(lines[place + 1])
            shared = X25519PrivateKey.from_private_bytes(secret).exchange(
                X25519PublicKey.from_public_bytes(share))
            wrapping = hkdf(shared, share + own, b"age-encryption.org/v1/X25519")
            key = ChaCha20Poly1305(wrapping).decrypt(bytes(12), body, None)
            proof = hmac.new(hkdf(key, b"", b"header"), head + b"\n---", hashlib.sha256).digest()
            if not hmac.compare_digest(proof, unbase64(code.decode())):
                return []
            plain = ChaCha20Poly1305(hkdf(key, payload[:16], b"payload")).decrypt(
                bytes(11) + b"\1", payload[16:], None)
        except (InvalidTag, ValueError, IndexError):
            continue
        if len(plain) % 32:
            return []
        return [plain[start:start + 32] for start in range(0, len(plain), 32)]
    return []


def padded(length):
    if length <= SMALLEST:
        return SMALLEST
    exponent = length.bit_length() - 1
    mask = (1 << exponent - exponent.bit_length()) - 1
    return length + mask & ~mask


def key_of(secret, salt, space):
    return hkdf(secret, salt, b"peersync sealed operations v1\0" + space)


def place_of(device, incarnation, sequence):
    return device + incarnation + sequence.to_bytes(8, "big")


def seal(operations, secret, salt, space, place):
    plain = len(operations).to_bytes(4, "big") + operations
    plain += bytes(padded(len(plain)) - len(plain))
    return b"\1" + salt + ChaCha20Poly1305(key_of(secret, salt, space)).encrypt(
        bytes(12), plain, place)


def open_sealed(sealed, secret, space, place):
    """Serialized operations; None for a layout that is not known. Raises Broken."""
    if sealed[:1] not in (b"", b"\1"):
        return None
    try:
        plain = ChaCha20Poly1305(key_of(secret, sealed[1:33], space)).decrypt(
            bytes(12), sealed[33:], place)
    except (InvalidTag, ValueError):
        raise Broken("it does not open") from None
    length = int.from_bytes(plain[:4], "big")
    if len(plain) < 4 or length > len(plain) - 4 or padded(4 + length) != len(plain) \
            or any(plain[4 + length:]):
        raise Broken("its padding is wrong")
    return plain[4:4 + length]
