"""Round trips: an act of the table on something in a competition, and the act that takes it back."""

from collections.abc import Callable
from datetime import datetime, timedelta
from random import Random
from typing import Any

import time_machine
from django.db.models import BooleanField, ExpressionWrapper, Q

from matches.models import Match
from players.models import Player
from rules_engine.values import Side
from tests.tournaments.decisions.undoing import NAME, everything
from tests.tournaments.desk.subjects import subjects_of
from tests.tournaments.teams.leagues import make_teams, members
from tests.tournaments.verbs import NOON
from tournaments.decisions.services.undo.rivals import Counting
from tournaments.desk.acts import ACTS, ENTRY, Act
from tournaments.entries.selectors.byes import list_bye_rounds
from tournaments.models import (
    MAX_ROUND,
    NOT_STARTED,
    ByeRequest,
    Competition,
    Dispute,
    Disqualification,
    Entry,
    EntryInvitation,
    Fixture,
    LogEntry,
    ProposedRound,
    Round,
    RoundEnd,
    WaitingPlayer,
    read_pairings,
)
from tournaments.models.rights import RIGHTS, Role
from tournaments.records.levels import queues_of, waiting_seats
from tournaments.rounds.selectors import entries_by_seat
from tournaments.teams.selectors.line_ups import coming_line_up_rounds, line_ups_in_force

WHY = "It was the other board."
HOUR = timedelta(hours=1)
_TIMES = (datetime, timedelta)
ACT_OF = {act.operation: act for act in ACTS}


def _comes_later(act: Act) -> bool:
    """Return whether an act only takes back another one that stands before it in the table."""
    inverse = ACT_OF[act.inverse]
    return inverse.inverse == act.operation and ACTS.index(inverse) < ACTS.index(act)


FORWARD = [act for act in ACTS if act.inverse and not _comes_later(act)]
"""The acts that can be taken back, each pair by the one that stands first: the other one is done on the way back."""


def _choose(*values: Any) -> Callable[..., Any]:
    return lambda source, _subject, _now: source.choice(values)


def _name_newcomer(source: Random, _subject: Any, _now: datetime) -> Player:
    """Return a player who has not been there."""
    return Player.objects.get_or_create(username="newcomer", defaults={"date_joined": NOON})[0]


def _name_swapped(source: Random, subject: ProposedRound, _now: datetime) -> Player:
    pairings = read_pairings(subject.pairings)
    entries = entries_by_seat([pairings])
    return entries[source.choice(sorted(pairings.swappable))].player


def _name_round(source: Random, subject: Entry, _now: datetime) -> int:
    rounds = list_bye_rounds(subject) if subject.team is None else coming_line_up_rounds(subject)
    return source.choice(rounds or [1])


def _line_up(source: Random, subject: Any, _now: datetime) -> list[int]:
    if isinstance(subject, Competition):
        return []
    return [player.pk for player in source.sample(members(subject.team), 2)]


def _end(source: Random, subject: Any, now: datetime) -> datetime:
    return now + timedelta(days=source.randrange(1, 9)) if isinstance(subject, Round) else now


INPUTS: dict[str, Callable[[Random, Any, datetime], Any]] = {
    "begins_at": lambda _source, _subject, now: now - timedelta(days=30),
    "by": _choose(HOUR, 30 * HOUR),
    "confirm": _choose(True),
    "counts": _choose(Counting.OLD),
    "ends_at": _end,
    "first": _name_swapped,
    "goals_red": _choose(None),
    "goals_yellow": _choose(None),
    "is_rated": _choose(True, True, True, False),
    "kept": _choose([]),
    "level": _choose(None),
    "place": _choose(1, 2),
    "player": _name_newcomer,
    "players": _line_up,
    "points_red": _choose(None),
    "points_yellow": _choose(None),
    "policy": _choose(RoundEnd.ADJUDICATE, RoundEnd.FORFEIT),
    "reason": _choose(WHY),
    "round_number": _name_round,
    "rule": _choose(*Disqualification),
    "second": _name_swapped,
    "side": _choose(*Side),
    "team_id": lambda _source, _subject, _now: make_teams(1, 2, first=99)[0].pk,
    "text": _choose("Welcome!"),
    "version": _choose(None),
    "winner": _choose(*Side, None),
}
"""What organisers enter, by the names of the inputs."""

FOUND: dict[str, Callable[[Competition], Any]] = {
    "entry": lambda competition: Entry.objects.filter(competition=competition).latest("pk"),
    "line of the log": lambda competition: LogEntry.objects.filter(competition=competition).latest("pk"),
    "proposed round": lambda competition: ProposedRound.objects.get(group__stage__competition=competition),
    "competition": lambda competition: competition,
}
"""What an act is taken back on where that is not what it was done to."""

FORMER: dict[str, Callable[[Any, dict[str, Any]], dict[str, Any]]] = {
    "edit_log_text": lambda line, _values: {"text": line.reason},
    "move_in_queue": lambda entry, _values: {"place": _place_in_queue(entry)},
    "set_line_up_of_team": lambda entry, values: {"players": _line_up_in_force(entry, values["round_number"])},
    "set_round_date": lambda round_, _values: {"ends_at": round_.ends_at},
    "withdraw_invitation": lambda invitation, _values: {"player": invitation.player},
}
"""What is entered to take back an act that does not remember it."""


class Trip:
    """An act on a competition, with what it is done to and what is entered, always the same, and the way back."""

    def __init__(self, act: Act, subject: Any, competition: Competition, source: Random, now: datetime) -> None:
        self.act, self.subject, self.competition = act, subject, competition
        # Whoever is on the staff adds players without asking them.
        self.actor = competition.organisers.get(is_staff=act.operation != "withdraw_invitation")
        self.values = {name: INPUTS[name](source, subject, now) for name in act.inputs}
        self.back = ACT_OF[act.inverse]
        usual = {name: INPUTS[name] for name in self.back.inputs.keys() - self.values.keys()}
        former = FORMER.get(act.operation, lambda *_given: {})(subject, self.values)
        self.values_back = {name: make(source, subject, now) for name, make in usual.items() if name not in former}
        # They stay in the history of a ladder, and are on no waiting list any more.
        stays = self.back.operation == "withdraw_entry" or competition.is_endless
        self.came: set[str] = (
            {"newcomer", "late-1", "team-99-1"} if self.back.on is ENTRY and act.on is not ENTRY and stays else set()
        )
        self.values_back |= {name: each for name, each in self.values.items() if name in self.back.inputs} | former

    def __str__(self) -> str:
        return f"{self.act.operation} {self.subject} {self.values}"

    def do(self, now: datetime) -> None:
        """Do the act."""
        self.act.perform(_read_again(self.subject), self.values, self.actor, now)

    def take_back(self, now: datetime) -> None:
        """Take it back."""
        is_same = self.back.on is self.act.on
        subject = _read_again(self.subject) if is_same else FOUND[self.back.on.name](self.competition)
        self.back.perform(subject, self.values_back, self.actor, now)


def _read_again(subject: Any) -> Any:
    # A round whose publication was taken back is another row once it is published again.
    by = {"group": subject.group_id, "number": subject.number} if isinstance(subject, Round) else {"pk": subject.pk}
    return type(subject).objects.get(**by)


def offered_on(competition: Competition, now: datetime) -> list[tuple[Act, list[Any]]]:
    """Return the acts that pages offer at a moment, but for those that only take back, with what they are for."""
    competition = type(competition).objects.get(pk=competition.pk)
    subjects, rights = subjects_of(competition), RIGHTS[Role.ORGANISER]
    with time_machine.travel(now, tick=False):
        offered = [
            (act, [each for each in subjects[act.on.name] if act.is_offered(competition, each, rights)])
            for act in FORWARD
        ]
    return [(act, own) for act, own in offered if own and not _leaves_nothing(act, competition)]


def drawn_rounds(competition: Competition) -> int:
    """Return the number of rounds that were drawn from results: they stand, whatever is taken back."""
    if not competition.first_stage.abilities.pairs_by_results:
        return 0
    return Round.objects.filter(group__stage__competition=competition).count()


def _leaves_nothing(act: Act, competition: Competition) -> bool:
    """Return whether who is withdrawn is struck off the list, before the start: they are added anew."""
    return act.operation == "withdraw_entry" and competition.status in NOT_STARTED


def _place_in_queue(entry: Entry) -> int:
    queue = next(iter(queues_of(entry.competition, entry.pk).values()))
    return [seat.entry_id for seat in queue].index(entry.pk) + 1


def _lacks(field: str) -> ExpressionWrapper:
    return ExpressionWrapper(Q(**{f"{field}__isnull": True}), output_field=BooleanField())


def everything_there(competition: Competition, until: int) -> dict[str, Any]:
    """Return all that acts change, with what organisers wrote by the lines of the log ``until`` one, by its id."""
    own = {"competition": competition.pk}
    in_stages = {"group__stage__competition": competition.pk}
    fixtures = Fixture.objects.filter(**own, is_annulled=False, match__isnull=False)
    of_log = LogEntry.objects.filter(**own, pk__lte=until)
    disputes = Dispute.objects.filter(fixture__competition=competition.pk)
    rows = {
        "matches": [_clock_row(each) for each in Match.objects.filter(pk__in=fixtures.values("match"))],
        "mails": fixtures.values_list("match", "is_notified"),
        "pauses": fixtures.filter(counted_at=None).values_list("match", _lacks("match__paused_at")),
        "queue": [(str(place), str(seat.entry)) for place, seat in enumerate(waiting_seats(competition))],
        "people": Entry.objects.filter(**own).values_list(NAME, _lacks("checked_in_at")),
        "waiting": WaitingPlayer.objects.filter(**own).values_list(NAME, _lacks("removed_at"), _lacks("checked_in_at")),
        "invited": EntryInvitation.objects.filter(**own).values_list(NAME, "status"),
        "byes": ByeRequest.objects.filter(seat__stage__competition=competition.pk).values_list("seat", "round_number"),
        "proposed": ProposedRound.objects.filter(**in_stages).values_list("group", "number", "pairings"),
        "texts": of_log.values_list("pk", "reason", _lacks("pinned_at"), _lacks("taken_down_at")),
        "disputes": disputes.values_list("fixture", "player", _lacks("dismissal")),
    }
    facts = everything(competition) | {name: sorted(found, key=str) for name, found in rows.items()}
    if competition.status in NOT_STARTED:
        # What comes back is closed for entry, and drawn if it was started.
        facts |= dict.fromkeys(["competition", "groups", "rounds", "ties", "fixtures", "seats", "proposed"])
    return facts | {
        "line-ups": [_line_up_in_force(entry) for entry in competition.entries.exclude(team=None).order_by("pk")]
    }


def _clock_row(match: Match) -> tuple[Any, ...]:
    # That of the side to act is the one of ``clocks_of``.
    banks = [None if match.side == side else match.banks[side] for side in Side]
    return match.pk, match.status, match.ply, *banks, match.annulled_at


def but_for_ids(facts: dict[str, Any]) -> dict[str, Any]:
    """Return the facts as they are also when an act has begun its matches anew."""
    return facts | {part: sorted((row[1:] for row in facts[part]), key=str) for part in ("matches", "mails", "pauses")}


def but_for_times(facts: dict[str, Any]) -> dict[str, Any]:
    """Return the facts as they are also when an act is done at another moment."""
    return {
        part: sorted((tuple(None if isinstance(each, _TIMES) else each for each in row) for row in rows), key=str)
        if isinstance(rows, list)
        else rows
        for part, rows in but_for_ids(facts).items()
    }


def _line_up_in_force(entry: Entry, number: int = MAX_ROUND) -> list[int]:
    found = line_ups_in_force([entry.pk], number=number).get(entry.pk)
    return [] if found is None else found.players


def without(facts: dict[str, Any], names: set[str]) -> dict[str, Any]:
    """Return the facts without those about some players."""
    return {
        part: [row for row in rows if not any(name in row for name in names)]
        if names and isinstance(rows, list)
        else rows
        for part, rows in facts.items()
    }


def clocks_of(competition: Competition) -> dict[tuple[str, int], datetime]:
    """Return by when who is to act must act in the matches that go on, and rounds must end."""
    going_on = Match.objects.filter(competition=competition.pk, deadline__isnull=False, paused_at=None)
    rounds = Round.objects.filter(group__stage__competition=competition.pk, ends_at__isnull=False, ended_at=None)
    clocks = {("match", key): deadline for key, deadline in going_on.values_list("pk", "deadline")}
    return clocks | {("round", key): ends_at for key, ends_at in rounds.values_list("pk", "ends_at")}
