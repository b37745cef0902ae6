"""Kinds of things to act on: competitions, entries, invitations, waiting lists, fixtures and rounds."""

from urllib.parse import urlencode

from django.utils.text import Truncator

from tournaments.desk.acts.act import Answer, Kind
from tournaments.entries.schemas import (
    OrganisedEntrySchema,
    WaitingPlayerSchema,
    admitted_to_json,
    waiting_player_to_json,
)
from tournaments.models import ENDED, NOT_STARTED, Competition, CompetitionStatus, ProposedRound, Round
from tournaments.models.rights import Right
from tournaments.office.schemas import (
    OrganisedFixtureSchema,
    RoundSchema,
    organised_fixture_to_json,
    organised_round_to_json,
)
from tournaments.office.selectors.lists import get_announcement, get_public_text
from tournaments.office.selectors.organisers import (
    get_entries,
    get_entry,
    get_fixture,
    get_fixtures,
    get_invitation,
    get_round,
)
from tournaments.office.stage_names import name_round
from tournaments.pages.schemas.competition import OrganisedCompetitionSchema, organised_competition_to_json
from tournaments.pages.schemas.invitation import InvitationSchema, invitation_to_json
from tournaments.pages.schemas.log_line import LogLineSchema, log_line_to_json
from tournaments.pages.sentences import action_name
from tournaments.records.stages import is_of_parts
from tournaments.rounds.schemas import ProposedRoundSchema, proposed_round_to_json
from tournaments.rounds.selectors import get_proposed_round
from tournaments.running.selectors.waiting_lists import get_listed
from tournaments.teams.schemas import LineUpSchema, line_up_to_json

COMPETITION_ANSWER = Answer(
    OrganisedCompetitionSchema, lambda competition, _subject, _result: organised_competition_to_json(competition)
)
ENTRY_ANSWER = Answer(OrganisedEntrySchema, lambda _competition, _subject, result: admitted_to_json(result))
LINE_UP_ANSWER = Answer(LineUpSchema, lambda _competition, _subject, result: line_up_to_json(result))
INVITATION_ANSWER = Answer(InvitationSchema, lambda _competition, _subject, result: invitation_to_json(result))
WAITING_ANSWER = Answer(WaitingPlayerSchema, lambda _competition, _subject, result: waiting_player_to_json(result))
FIXTURE_ANSWER = Answer(
    OrganisedFixtureSchema, lambda _competition, _subject, result: organised_fixture_to_json(result)
)
LOG_LINE_ANSWER = Answer(LogLineSchema, lambda competition, _subject, result: log_line_to_json(result, competition))
ROUND_ANSWER = Answer(RoundSchema, lambda _competition, subject, _result: organised_round_to_json(subject))
PUBLISHED_ANSWER = Answer(RoundSchema, lambda _competition, _subject, result: organised_round_to_json(result))
PROPOSED_ANSWER = Answer(ProposedRoundSchema, lambda _competition, _subject, result: proposed_round_to_json(result))


def _goes_on(competition: Competition) -> bool:
    return competition.status not in ENDED


def _group_path_of(round_: Round | ProposedRound) -> str:
    group = round_.group
    return f"stages/{group.stage.number}/groups/{group.number}/" if is_of_parts(group.stage) else ""


def _rounds_of_group(round_: Round) -> str:
    group = round_.group
    numbers = urlencode({"stage": group.stage.number, "group": group.number})
    return f"?{numbers}#rounds" if is_of_parts(group.stage) else ""


def _page_of_proposed(proposed: ProposedRound) -> str:
    return f"{_group_path_of(proposed)}proposed-rounds/{proposed.number}/"


COMPETITION = Kind(
    name="competition",
    path="",
    number="",
    find=lambda competition, _number: competition,
    number_of=lambda competition: competition.pk,
    name_of=str,
    page_of=lambda _competition: "",
    keyword="competition_id",
    argument=lambda competition: competition.pk,
    is_open=_goes_on,
    answer=COMPETITION_ANSWER,
)
ANNOUNCEMENT = Kind(
    name="announcement",
    path="announcements",
    number="announcement_id",
    find=get_announcement,
    number_of=lambda announcement: announcement.pk,
    name_of=lambda announcement: Truncator(announcement.reason).chars(40),
    page_of=lambda _announcement: "",
    keyword="announcement",
    argument=lambda announcement: announcement,
    is_open=lambda _competition: True,
    answer=LOG_LINE_ANSWER,
)
LOG_LINE = Kind(
    name="line of the log",
    path="log",
    number="line_id",
    find=get_public_text,
    number_of=lambda line: line.pk,
    name_of=lambda line: Truncator(line.reason or action_name(line.action)).chars(40),
    page_of=lambda _line: "",
    keyword="line",
    argument=lambda line: line,
    is_open=lambda _competition: True,
    answer=LOG_LINE_ANSWER,
)
ENTRY = Kind(
    name="entry",
    path="entries",
    number="entry_id",
    find=get_entry,
    find_all=get_entries,
    number_of=lambda entry: entry.pk,
    name_of=str,
    page_of=lambda entry: f"entries/?player={entry}",
    back_of=lambda _subject: "entries/",
    keyword="entry_id",
    argument=lambda entry: entry.pk,
    is_open=_goes_on,
    answer=ENTRY_ANSWER,
    is_judging=True,
)
INVITATION = Kind(
    name="invitation",
    path="invitations",
    number="invitation_id",
    find=get_invitation,
    number_of=lambda invitation: invitation.pk,
    name_of=str,
    page_of=lambda _invitation: "invitations/",
    back_of=lambda _subject: "invitations/",
    keyword="invitation_id",
    argument=lambda invitation: invitation.pk,
    is_open=_goes_on,
    answer=INVITATION_ANSWER,
)
WAITING = Kind(
    name="waiting player",
    path="waiting-list",
    number="waiting_id",
    find=get_listed,
    number_of=lambda waiting: waiting.pk,
    name_of=str,
    page_of=lambda _waiting: "waiting-list/",
    back_of=lambda _subject: "waiting-list/",
    keyword="waiting_id",
    argument=lambda waiting: waiting.pk,
    is_open=lambda competition: competition.status in NOT_STARTED,
    answer=WAITING_ANSWER,
)
FIXTURE = Kind(
    name="fixture",
    path="fixtures",
    number="fixture_id",
    find=get_fixture,
    find_all=get_fixtures,
    number_of=lambda fixture: fixture.pk,
    name_of=str,
    page_of=lambda fixture: f"fixtures/{fixture.pk}/",
    back_of=lambda _subject: "fixtures/",
    keyword="fixture_id",
    argument=lambda fixture: fixture.pk,
    is_open=lambda competition: competition.status == CompetitionStatus.RUNNING,
    answer=FIXTURE_ANSWER,
    needs=Right.DECIDE,
    is_judging=True,
)
ROUND = Kind(
    name="round",
    path="rounds",
    number="number",
    find=get_round,
    number_of=lambda round_: round_.number,
    name_of=name_round,
    page_of=lambda _round: "",
    back_of=_rounds_of_group,
    keyword="round",
    argument=lambda round_: round_,
    is_open=_goes_on,
    answer=ROUND_ANSWER,
    is_in_group=True,
    group_path_of=_group_path_of,
    is_judging=True,
)

PROPOSED_ROUND = Kind(
    name="proposed round",
    path="proposed-rounds",
    number="number",
    find=get_proposed_round,
    number_of=lambda proposed: proposed.number,
    name_of=name_round,
    page_of=_page_of_proposed,
    back_of=_page_of_proposed,
    keyword="proposed",
    argument=lambda proposed: proposed,
    is_open=_goes_on,
    answer=PROPOSED_ANSWER,
    is_in_group=True,
    group_path_of=_group_path_of,
    is_judging=True,
)


def can_judge(competition: Competition) -> bool:
    """Return whether who plays in it can be judged: it has started, and was not cancelled."""
    return competition.status in {CompetitionStatus.RUNNING, CompetitionStatus.FINISHED}


def was_played(competition: Competition) -> bool:
    """Return whether decisions can be made or taken back in it: it goes on, or ended with its last result."""
    return competition.status == CompetitionStatus.RUNNING or (
        competition.status == CompetitionStatus.FINISHED and not competition.is_endless
    )
