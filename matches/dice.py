"""Dice that no player can choose or foresee, and that anybody can verify. ``docs/dice.md`` is the recipe.

Pure. A match has a secret seed of 32 bytes. Its SHA-256, the *commitment*, is shown from the first
moment on, the seed itself after the end. Everything played is hashed into a *chain*, and a roll is
an HMAC under the seed of the match's number, the roll's number and the chain before the roll.

A late decision that is drawn is one more roll, among the legal moves in the order in which the game lists them.

A match that an organiser had ended may go on. Its seed has been shown by then, so a new one gives the rolls from there.
"""

import hashlib
import hmac
import itertools
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from rules_engine.protocol import Roll, State

VERSION = "kickabout dice v1"
SEED_BYTES = 32
DIGEST_VALUES = 1 << 256

DECISION = "decision"
"""The kind of a roll that decides for a side whose time is over."""


def commit(seed: bytes) -> str:
    """Return the commitment to a seed: its SHA-256 in hexadecimal."""
    return hashlib.sha256(seed).hexdigest()


def seed_of_choices(seed: bytes) -> str:
    """Return what the computers of a match vary their moves by: it tells nothing of the seed or of its dice."""
    return hmac.digest(seed, b"choices of computers", "sha256").hex()


def first_link(match_id: int) -> str:
    """Return the chain of a match in which nothing has happened yet."""
    return hashlib.sha256(f"{VERSION}|{match_id}".encode()).hexdigest()


def next_link(chain: str, actor: str, text: str) -> str:
    """Return the chain after one more move; ``actor`` is ``yellow``, ``red`` or ``chance``."""
    return hashlib.sha256(f"{chain}|{actor}|{text}".encode()).hexdigest()


def message(match_id: int, number: int, chain: str, attempt: int = 0) -> str:
    """Return what is signed for roll ``number`` (from 0) of a match; ``chain`` is the one before it."""
    return f"{VERSION}|{match_id}|{number}|{chain}|{attempt}"


def pick(digest: bytes, rolls: Sequence[Roll]) -> Roll | None:
    """Return the roll that a digest stands for, or ``None`` if it stands for none.

    The numbers below the probabilities' common denominator are divided among the rolls, in their order. The digest, as
    a big-endian number, is taken modulo that denominator. A digest beyond its largest multiple stands for no roll,
    because otherwise the first rolls would come a little too often.
    """
    shares = [roll.probability.as_integer_ratio() for roll in rolls]
    denominator = math.lcm(*(parts for _, parts in shares))
    value = int.from_bytes(digest, "big")
    if value >= DIGEST_VALUES - DIGEST_VALUES % denominator:
        return None
    number = value % denominator
    for roll, (share, parts) in zip(rolls, shares, strict=True):
        number -= share * (denominator // parts)
        if number < 0:
            return roll
    raise ValueError("the probabilities of the rolls do not add up to 1")


@dataclass(frozen=True, slots=True)
class Draw:
    """One roll as it was made: the message, its signature in hexadecimal, the text it stands for."""

    message: str
    digest: str
    text: str


def outcomes(state: State) -> tuple[Roll, ...]:
    """Return what can be drawn in a state: the rolls of chance, or, for a side whose time is over, its legal moves."""
    moves = state.legal_moves()
    return tuple(Roll(text, Fraction(1, len(moves)), DECISION) for text in moves) or state.chance()


def draw(seed: bytes, match_id: int, number: int, chain: str, rolls: Sequence[Roll]) -> Draw:
    """Return roll ``number`` of a match, out of those that can come."""
    for attempt in itertools.count():
        signed = message(match_id, number, chain, attempt)
        digest = hmac.digest(seed, signed.encode(), "sha256")
        if (roll := pick(digest, rolls)) is not None:
            return Draw(signed, digest.hex(), roll.text)
    raise AssertionError("an endless count has ended")


@dataclass(frozen=True, slots=True)
class Spent:
    """A seed that was shown before its match went on: it gives the rolls before the number ``rolls``."""

    rolls: int
    seed: bytes
    commitment: str


@dataclass(frozen=True, slots=True)
class Played:
    """A move of a match: who acted, the text, and, of what was rolled or drawn, everything that could have come."""

    actor: str
    text: str
    rolls: tuple[Roll, ...] = ()


@dataclass(frozen=True, slots=True)
class RollProof:
    """The proof of one roll, and whether it is the roll that the seed gives.

    ``ply`` is its place among the match's moves. As long as the seed is secret, ``digest`` and
    ``holds`` are ``None``.
    """

    number: int
    ply: int
    text: str
    message: str
    digest: str | None
    holds: bool | None


def prove(
    seed: bytes | None, match_id: int, moves: Iterable[Played], spent: Sequence[Spent] = ()
) -> tuple[RollProof, ...]:
    """Return the proof of every roll among a match's moves; give the seed only if it may be seen.

    ``spent`` are the seeds before this one, in order.
    """
    proofs: list[RollProof] = []
    chain = first_link(match_id)
    for ply, move in enumerate(moves):
        if move.rolls:
            number = len(proofs)
            own = next((each.seed for each in spent if number < each.rolls), seed)
            if own is None:
                signed = message(match_id, number, chain)
                proofs.append(RollProof(number, ply, move.text, signed, None, None))
            else:
                drawn = draw(own, match_id, number, chain, move.rolls)
                holds = drawn.text == move.text
                proofs.append(RollProof(number, ply, move.text, drawn.message, drawn.digest, holds))
        chain = next_link(chain, move.actor, move.text)
    return tuple(proofs)


def check(
    seed: bytes, commitment: str, match_id: int, moves: Iterable[Played], spent: Sequence[Spent] = ()
) -> tuple[str, ...]:
    """Return a sentence for everything in which a match's dice differ from the recipe."""
    seals = [*((each.seed, each.commitment) for each in spent), (seed, commitment)]
    faults = ["The seed is not the one that was committed to." for own, seal in seals if commit(own) != seal]
    faults += [
        f"Roll {proof.number} at ply {proof.ply} is {proof.text!r}, which the seed does not give."
        for proof in prove(seed, match_id, moves, spent)
        if not proof.holds
    ]
    return tuple(faults)
