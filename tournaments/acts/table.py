"""Everything that organisers do, in the order in which it is offered."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext_lazy as _

from tournaments.acts.act import Act, Answer, Competition, Kind
from tournaments.acts.inputs import (
    Announcement,
    MoreTime,
    Reason,
    RoundDate,
    RoundPolicy,
    Username,
    WhichSide,
    Winner,
)
from tournaments.models import ENDED, NOT_STARTED, CompetitionStatus, EntryStatus, Ladder
from tournaments.schemas.competition import OrganisedCompetitionSchema, organised_competition_to_json
from tournaments.schemas.entry import OrganisedEntrySchema, organised_entry_to_json
from tournaments.schemas.fixture import GivenTimeSchema, OrganisedFixtureSchema, organised_fixture_to_json
from tournaments.schemas.round import RoundSchema, round_to_json
from tournaments.selectors.entry_conditions import can_take_late_entries
from tournaments.selectors.organisers import get_entry, get_fixture, get_round
from tournaments.services.cups.chosen_round_dates import set_round_date
from tournaments.services.cups.deadlines import end_round
from tournaments.services.entries.admission import admit_player
from tournaments.services.entries.replacement import replace_entry
from tournaments.services.entries.withdrawal import withdraw_entry
from tournaments.services.fixture_decisions import adjudicate_fixture, annul_fixture, extend_clock, replay_fixture
from tournaments.services.lifecycle.pauses import pause_competition, resume_competition
from tournaments.services.lifecycle.start import start_competition
from tournaments.services.lifecycle.status import (
    announce,
    cancel_competition,
    close_competition,
    finish_competition,
    open_competition,
)

COMPETITION_ANSWER = Answer(
    OrganisedCompetitionSchema, lambda competition, _subject, _result: organised_competition_to_json(competition)
)
ENTRY_ANSWER = Answer(OrganisedEntrySchema, lambda _competition, _subject, result: organised_entry_to_json(result))
FIXTURE_ANSWER = Answer(
    OrganisedFixtureSchema, lambda _competition, _subject, result: organised_fixture_to_json(result)
)
ROUND_ANSWER = Answer(
    RoundSchema, lambda competition, subject, _result: round_to_json(get_round(competition, subject.number))
)
TIME_ANSWER = Answer(GivenTimeSchema, lambda _competition, _subject, result: {"seconds": result.total_seconds()})


def _goes_on(competition: Competition) -> bool:
    return competition.status not in ENDED


COMPETITION = Kind(
    name="competition",
    path="",
    number="",
    find=lambda competition, _number: competition,
    number_of=lambda competition: competition.pk,
    keyword="competition_id",
    argument=lambda competition: competition.pk,
    is_open=_goes_on,
    answer=COMPETITION_ANSWER,
)
ENTRY = Kind(
    name="entry",
    path="entries",
    number="entry_id",
    find=get_entry,
    number_of=lambda entry: entry.pk,
    keyword="entry_id",
    argument=lambda entry: entry.pk,
    is_open=_goes_on,
    answer=ENTRY_ANSWER,
)
FIXTURE = Kind(
    name="fixture",
    path="fixtures",
    number="fixture_id",
    find=get_fixture,
    number_of=lambda fixture: fixture.pk,
    keyword="fixture_id",
    argument=lambda fixture: fixture.pk,
    is_open=lambda competition: competition.status == CompetitionStatus.RUNNING,
    answer=FIXTURE_ANSWER,
)
ROUND = Kind(
    name="round",
    path="rounds",
    number="number",
    find=get_round,
    number_of=lambda round_: round_.number,
    keyword="round",
    argument=lambda round_: round_,
    is_open=_goes_on,
    answer=ROUND_ANSWER,
)


def _can_admit(competition: Competition) -> bool:
    if competition.status == CompetitionStatus.RUNNING:
        return can_take_late_entries(competition)
    return competition.status in NOT_STARTED


ACTS: tuple[Act, ...] = (
    Act(
        "open",
        "open_competition",
        COMPETITION,
        title=_("Open entry"),
        question=_("Players can enter from then on. A draw that was made is forgotten."),
        done=_("Players can enter now."),
        service=open_competition,
        suits=lambda competition: competition.status in {CompetitionStatus.DRAFT, CompetitionStatus.CLOSED},
        is_next=True,
    ),
    Act(
        "close",
        "close_competition",
        COMPETITION,
        title=_("Close entry"),
        question=_("Nobody can enter any more, unless you open it again."),
        done=_("Entry is closed."),
        service=close_competition,
        suits=lambda competition: competition.status == CompetitionStatus.OPEN,
    ),
    Act(
        "start",
        "start_competition",
        COMPETITION,
        title=_("Start"),
        question=_("The first matches begin at once. A cup that has not been drawn is drawn now."),
        done=_("It has started."),
        service=start_competition,
        suits=lambda competition: competition.status in {CompetitionStatus.OPEN, CompetitionStatus.CLOSED},
        is_next=True,
    ),
    Act(
        "announce",
        "announce",
        COMPETITION,
        title=_("Announce something"),
        question=_("Everybody can read it in the log of the competition."),
        done=_("It is announced."),
        service=announce,
        inputs={"text": Announcement()},
        api_path="announcements",
    ),
    Act(
        "admit",
        "admit_player",
        COMPETITION,
        title=_("Enter a player"),
        question=_(
            "He is in whatever the limits on number, rating and password say. "
            "Before the start, a draw that was made is forgotten."
        ),
        done=_("He is in."),
        service=admit_player,
        inputs={"player": Username(), "reason": Reason(required=False)},
        suits=_can_admit,
        own_answer=ENTRY_ANSWER,
        api_path="admissions",
    ),
    Act(
        "pause",
        "pause_competition",
        COMPETITION,
        title=_("Pause"),
        question=_("All clocks stand still and nobody moves until you resume it. The dates of rounds wait too."),
        done=_("It is paused."),
        service=pause_competition,
        inputs={"reason": Reason()},
        suits=lambda competition: competition.status == CompetitionStatus.RUNNING and competition.paused_at is None,
    ),
    Act(
        "resume",
        "resume_competition",
        COMPETITION,
        title=_("Resume"),
        question=_("The clocks run on with what they held; the dates of rounds are later by as long as the pause was."),
        done=_("It goes on."),
        service=resume_competition,
        inputs={"reason": Reason(required=False)},
        suits=lambda competition: competition.paused_at is not None,
        is_next=True,
    ),
    Act(
        "finish",
        "finish_competition",
        COMPETITION,
        title=_("Finish the ladder"),
        question=_("Its table stays as it is then. Matches that still go on end and count nowhere."),
        done=_("It is finished."),
        service=finish_competition,
        inputs={"reason": Reason()},
        suits=lambda competition: competition.status == CompetitionStatus.RUNNING and isinstance(competition, Ladder),
        is_final=True,
    ),
    Act(
        "cancel",
        "cancel_competition",
        COMPETITION,
        title=_("Cancel the competition"),
        question=_("It ends for good, without a winner. Matches that still go on end and count nowhere."),
        done=_("It is cancelled."),
        service=cancel_competition,
        inputs={"reason": Reason()},
        is_final=True,
    ),
    Act(
        "withdraw",
        "withdraw_entry",
        ENTRY,
        title=_("Withdraw"),
        question=_(
            "Before the start he is taken off the list. After it his open matches are lost by forfeit, for good."
        ),
        done=_("He is withdrawn."),
        service=withdraw_entry,
        inputs={"reason": Reason()},
        suits=lambda entry: entry.is_in,
        own_answer=COMPETITION_ANSWER,
        is_final=True,
    ),
    Act(
        "replace",
        "replace_entry",
        ENTRY,
        title=_("Replace"),
        question=_("Somebody else takes over his place with all its results. Matches that go on begin again."),
        done=_("He is replaced."),
        service=replace_entry,
        inputs={"player": Username(), "reason": Reason()},
        suits=lambda entry: entry.status != EntryStatus.REPLACED,
    ),
    Act(
        "adjudicate",
        "adjudicate_fixture",
        FIXTURE,
        title=_("Adjudicate"),
        question=_("The match ends at once, with the score as it is, and you say who wins."),
        done=_("The match is decided."),
        service=adjudicate_fixture,
        inputs={"winner": Winner(), "reason": Reason()},
        suits=lambda fixture: fixture.counted_at is None and not fixture.is_annulled,
    ),
    Act(
        "extend",
        "extend_clock",
        FIXTURE,
        title=_("Give more time"),
        question=_("The clock holds at most as much as the competition allows."),
        done=_("The clock is extended."),
        service=extend_clock,
        inputs={"side": WhichSide(_("Who gets more time")), "by": MoreTime(), "reason": Reason()},
        suits=lambda fixture: fixture.match is not None and bool(fixture.match.side),
        own_answer=TIME_ANSWER,
    ),
    Act(
        "replay",
        "replay_fixture",
        FIXTURE,
        title=_("Let it be played again"),
        question=_("The match counts for nothing any more, and a new one between the same two begins."),
        done=_("The match is played again."),
        service=replay_fixture,
        inputs={"reason": Reason()},
        suits=lambda fixture: (
            not fixture.is_annulled and (fixture.match_id is not None or fixture.counted_at is not None)
        ),
        is_final=True,
    ),
    Act(
        "annul",
        "annul_fixture",
        FIXTURE,
        title=_("Annul"),
        question=_("The match counts for nothing any more, neither here nor for the ratings, and is not played again."),
        done=_("The match is annulled."),
        service=annul_fixture,
        inputs={"reason": Reason()},
        suits=lambda fixture: not fixture.is_annulled and fixture.tie_id is None,
        is_final=True,
    ),
    Act(
        "date",
        "set_round_date",
        ROUND,
        title=_("Set its date"),
        question=_("By then it must end; what happens to matches that still go on is an option of the cup."),
        done=_("The date is set."),
        service=set_round_date,
        inputs={"ends_at": RoundDate()},
        suits=lambda round_: round_.ended_at is None,
        api_method="put",
    ),
    Act(
        "end",
        "end_round",
        ROUND,
        title=_("End it now"),
        question=_("All matches of the round that still go on are ended, and the cup goes on."),
        done=_("The round is ended."),
        service=end_round,
        inputs={"policy": RoundPolicy(), "reason": Reason()},
        suits=lambda round_: round_.started_at is not None and round_.ended_at is None,
        is_final=True,
    ),
)


def get_act(path: str, name: str) -> Act | None:
    """Return the act with this name on the kind with this path in URLs."""
    return next((act for act in ACTS if (act.on.path, act.name) == (path, name)), None)


def acts_on(kind: Kind, competition: Competition, subject: Any) -> list[Act]:
    """Return the acts that are offered on something in a competition."""
    return [act for act in ACTS if act.on is kind and act.is_offered(competition, subject)]
