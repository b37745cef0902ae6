"""Echoes: what a stream sends to be answered at once. By them the server measures the way to a player and back.

A token says to whom and when it was sent, and is signed: any process can read the answer, and nothing is stored. Nobody
can answer before it came, so the way is never longer than measured; who answers late only seems to be further away.
"""

from datetime import datetime, timedelta

from django.core import signing

from players.connections import ECHO_INTERVAL, note_echo
from streams.changes import EPOCH

MILLISECOND = timedelta(milliseconds=1)


def write_token(player_id: int, sent_at: datetime) -> str:
    """Return the token of an echo that is sent to a player."""
    return _signer().sign_object([player_id, (sent_at - EPOCH) // MILLISECOND])


def take_answer(token: str, now: datetime) -> bool:
    """Note the answer to an echo; return false if it is not ours, or comes too late."""
    try:
        player_id, sent = _signer().unsign_object(token)
    except signing.BadSignature:
        return False
    sent_at = EPOCH + sent * MILLISECOND
    if now - sent_at > ECHO_INTERVAL:
        return False
    note_echo(player_id=player_id, sent_at=sent_at, now=now)
    return True


def _signer() -> signing.Signer:
    """Return the signer of tokens; its key is read when a token is, as settings may lack one until they are checked."""
    return signing.Signer(salt="streams.echo")
