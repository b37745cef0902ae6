"""The token or session by which a stream was opened: the stream must not outlive it."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime

from rest_framework.request import Request

from players.models import ApiToken, Player
from players.selectors import live_sessions, live_tokens, session_hashes


@dataclass(frozen=True, slots=True)
class Access:
    """A token by its id, or a session by its key and the hash that its player had when the stream was opened."""

    player_id: int
    token_id: int | None = None
    session_key: str = ""
    session_hash: str = ""


def access_of(request: Request) -> Access | None:
    """Return the token or session of a request; ``None`` for a visitor, who needs neither."""
    player = request.user
    if not isinstance(player, Player):
        return None
    if isinstance(request.auth, ApiToken):
        return Access(player.pk, token_id=request.auth.pk)
    key = request.session.session_key or ""
    return Access(player.pk, session_key=key, session_hash=player.get_session_auth_hash())


def valid_accesses(accesses: Collection[Access], *, now: datetime) -> set[Access]:
    """Return those that are still valid: the token or session exists, and its player may use it. A few queries."""
    tokens = live_tokens(ids={access.token_id for access in accesses if access.token_id is not None}, now=now)
    by_session = [access for access in accesses if access.token_id is None]
    sessions = live_sessions(keys={access.session_key for access in by_session}, now=now)
    hashes = session_hashes(player_ids={access.player_id for access in by_session})
    return {
        access
        for access in accesses
        if access.token_id in tokens
        or (access.session_key in sessions and hashes.get(access.player_id) == access.session_hash)
    }
