"""Cut a round of a cup short. Callers hold the competition's lock."""

from datetime import datetime, timedelta

from matches.models import Match, Status
from matches.services.adjudication import adjudicate_by_score, forfeit_to_move
from players.models import Player
from tournaments.models import SITTING, Competition, Fixture, Round, RoundEnd
from tournaments.office.services.log import log_action
from tournaments.rounds.services.round_codes import code_round


def cut_short(
    *,
    competition: Competition,
    round: Round,  # noqa: A002
    policy: RoundEnd,
    actor: Player | None,
    at: datetime,
    reason: str = "",
) -> int:
    """End the matches of a round that go on, as of a moment, and return how many. Its ties get no more replays.

    By ``policy`` the score decides, or the side to move loses; what neither side has begun is forfeited by both.
    Another call ends what was started since, and is another end if that was later.
    """
    running = Match.objects.filter(fixture__round=round, fixture__is_annulled=False, status=Status.PLAYING)
    match_ids = list(running.values_list("pk", flat=True))
    if round.cut_short_at is None or (match_ids and at > last_cut(round)):
        left = None if round.ends_at is None else max(timedelta(0), round.ends_at - at).total_seconds()
        before = None if round.cut_short_at is None else round.cut_short_at.isoformat()
        round.cuts = [*round.cuts, {"at": at.isoformat(), "seconds": left, "before": before}]
        round.cut_short_at = at
        round.ends_at = at if round.ends_at is None else min(at, round.ends_at)
        round.save(update_fields=["cut_short_at", "cuts", "ends_at"])
        log_action(
            competition=competition,
            action="round-cut-short",
            actor=actor,
            subject=code_round(round.group, round),
            reason=reason or str(policy.label),
            now=at,
            players=players_of_open_matches(round),
        )
    end_matches = adjudicate_by_score if policy == RoundEnd.ADJUDICATE else forfeit_to_move
    return len(end_matches(match_ids=match_ids, now=at, untouched_is_forfeited=True))


def last_cut(round_: Round) -> datetime:
    """Return when a round was ended early last, of those ends that stand."""
    return datetime.fromisoformat(round_.cuts[-1]["at"])


def players_of_open_matches(round_: Round) -> list[Player]:
    """Return who plays the matches of a round that go on, each once; those at the boards of teams. One query."""
    going_on = Fixture.objects.filter(round=round_, is_annulled=False, match__status=Status.PLAYING)
    fixtures = going_on.select_related(*SITTING).order_by("pk")
    return list(dict.fromkeys(player for each in fixtures for player in each.seated))
