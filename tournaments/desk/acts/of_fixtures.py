"""The acts of organisers on matches and rounds, in the order in which pages offer them."""

from collections.abc import Callable

from django.utils.translation import gettext_lazy as _

from formats.scoring.points import MAX_POINTS
from matches.selectors.clocks import find_last_extension
from matches.services.reopen_match import DECIDED
from tournaments.decisions.selectors import dismissed_disputes, open_disputes
from tournaments.decisions.services.disputes import dismiss_disputes, take_back_dismissal
from tournaments.decisions.services.fixture_decisions import (
    adjudicate_by_rule,
    adjudicate_fixture,
    extend_clock,
    extend_clock_to_move,
    pause_fixture,
    resume_fixture,
    take_back_extension,
    what_follows_from_taking_back_extension,
)
from tournaments.decisions.services.pairings import draw_round_again, publish_round, swap_players
from tournaments.decisions.services.round_dates import set_round_date
from tournaments.decisions.services.round_expiry import end_round
from tournaments.decisions.services.undo.annulments import (
    annul_fixture,
    replay_fixture,
    what_follows_from_annulling,
    what_follows_from_replaying,
)
from tournaments.decisions.services.undo.corrections import (
    MAX_GOALS,
    correct_fixture,
    take_back_correction,
    what_follows_from_correcting,
    what_follows_from_taking_back_correction,
)
from tournaments.decisions.services.undo.decisions import (
    take_back_annulment,
    take_back_decision,
    take_back_replay,
    what_follows_from_taking_back_annulment,
    what_follows_from_taking_back_decision,
    what_follows_from_taking_back_replay,
)
from tournaments.decisions.services.undo.publications import (
    take_back_publication,
    what_follows_from_taking_back_publication,
)
from tournaments.decisions.services.undo.round_ends import take_back_round_end, what_follows_from_taking_back_round_end
from tournaments.desk.acts.act import Act, Answer, Bulk, Text
from tournaments.desk.acts.bulk import tell_decisions, tell_lead, tell_turn
from tournaments.desk.acts.inputs import (
    MoreTime,
    Number,
    PairingsVersion,
    PlacedPlayer,
    Rated,
    RoundDate,
    RoundPolicy,
    WhichCounts,
    WhichSide,
    Winner,
)
from tournaments.desk.acts.kinds import FIXTURE, PROPOSED_ANSWER, PROPOSED_ROUND, PUBLISHED_ANSWER, ROUND, was_played
from tournaments.models import Annulment, Competition, CompetitionStatus, Fixture
from tournaments.office.inputs import Confirm, Reason
from tournaments.office.schemas import GivenTimeSchema

_USUAL_POINTS = _("Leave it empty for what such a result is worth here.")
_SAME_GOALS = _("Leave it empty to keep the goals.")

TIME_ANSWER = Answer(GivenTimeSchema, lambda _competition, _subject, result: {"seconds": result.total_seconds()})


def _is_running(fixture: Fixture) -> bool:
    return fixture.match is not None and bool(fixture.match.side)


def _clocks_run(competition: Competition) -> bool:
    return competition.status == CompetitionStatus.RUNNING and competition.paused_at is None


def _is_played_again(fixture: Fixture) -> bool:
    if fixture.is_annulled:
        return fixture.replay is not None and not fixture.replay.is_annulled
    return fixture.replayed.filter(leg=fixture.leg).exists()


def _say_done(usual: Text) -> Callable[[Fixture], Text]:
    """Return what says that something is taken back, or that a new match counts in place of the one it was done to."""
    return lambda fixture: _("The new match counts.") if fixture.is_annulled else usual


FIXTURE_ACTS: tuple[Act, ...] = (
    Act(
        "adjudicate",
        "adjudicate_fixture",
        FIXTURE,
        inverse="take_back_decision",
        title=_("Adjudicate"),
        question=_("The match ends at once with the current score, and you decide who wins."),
        done=_("The match is decided."),
        service=adjudicate_fixture,
        inputs={"winner": Winner(), "reason": Reason()},
        suits=lambda fixture: fixture.counted_at is None and not fixture.is_annulled,
        bulk=Bulk(
            "adjudicate_fixtures",
            {"policy": RoundPolicy(), "reason": Reason()},
            service=adjudicate_by_rule,
            tell=tell_decisions,
        ),
    ),
    Act(
        "extend",
        "extend_clock",
        FIXTURE,
        inverse="take_back_extension",
        title=_("Give more time"),
        question=_("Adds time to a player’s clock, up to the most that the competition allows."),
        done=_("The player has more time."),
        service=extend_clock,
        inputs={"side": WhichSide(_("Side that gets more time")), "by": MoreTime(), "reason": Reason()},
        suits=_is_running,
        own_answer=TIME_ANSWER,
        bulk=Bulk(
            "extend_clocks", {"by": MoreTime(), "reason": Reason()}, service=extend_clock_to_move, tell=tell_turn
        ),
    ),
    Act(
        "take-back-extension",
        "take_back_extension",
        FIXTURE,
        inverse="extend_clock",
        title=_("Take back the extra time"),
        question=_(
            "The player loses what is unspent of the time that was given last. They keep a day, or a tenth of the "
            "time to start with if that is less."
        ),
        done=_("The time is taken back."),
        service=take_back_extension,
        what_follows=what_follows_from_taking_back_extension,
        inputs={"reason": Reason()},
        suits=lambda fixture: _is_running(fixture) and find_last_extension(fixture.match_id) is not None,
        own_answer=TIME_ANSWER,
    ),
    Act(
        "pause",
        "pause_fixture",
        FIXTURE,
        inverse="resume_fixture",
        title=_("Pause"),
        question=_("The clocks of the match stop, and nobody can move until it is resumed. The players are notified."),
        in_cups=_("The deadline of its round does not change."),
        done=_("The match is paused."),
        service=pause_fixture,
        inputs={"reason": Reason()},
        suits=lambda fixture: _is_running(fixture) and fixture.match.paused_at is None,
        when=_clocks_run,
        bulk=Bulk("pause_fixtures", {"reason": Reason()}, tell=tell_turn),
    ),
    Act(
        "resume",
        "resume_fixture",
        FIXTURE,
        inverse="pause_fixture",
        title=_("Resume"),
        question=_("The clocks continue with the time that was left. The players are notified."),
        done=_("The match has been resumed."),
        service=resume_fixture,
        inputs={"reason": Reason()},
        suits=lambda fixture: _is_running(fixture) and fixture.match.paused_at is not None,
        when=_clocks_run,
        bulk=Bulk("resume_fixtures", {"reason": Reason()}, tell=tell_turn),
    ),
    Act(
        "replay",
        "replay_fixture",
        FIXTURE,
        inverse="take_back_replay",
        title=_("Replay the match"),
        question=_("This match no longer counts, and a new one between the same players begins."),
        done=_("A new match has begun."),
        service=replay_fixture,
        when=was_played,
        what_follows=what_follows_from_replaying,
        inputs={"confirm": Confirm(), "reason": Reason()},
        suits=lambda fixture: (
            not fixture.is_annulled and (fixture.match_id is not None or fixture.counted_at is not None)
        ),
        is_grave=True,
    ),
    Act(
        "annul",
        "annul_fixture",
        FIXTURE,
        inverse="take_back_annulment",
        title=_("Annul"),
        question=_("This match no longer counts, here or for ratings, and is not played again."),
        done=_("The match is annulled."),
        service=annul_fixture,
        when=was_played,
        what_follows=what_follows_from_annulling,
        inputs={"confirm": Confirm(), "reason": Reason()},
        suits=lambda fixture: not fixture.is_annulled and fixture.tie_id is None,
        bulk=Bulk("annul_fixtures", {"confirm": Confirm(), "reason": Reason()}, tell=tell_lead),
        is_grave=True,
    ),
    Act(
        "correct",
        "correct_result",
        FIXTURE,
        inverse="take_back_correction",
        title=_("Correct the result"),
        question=_("You decide the result of a match that is over. Everything that followed from it is derived again."),
        done=_("The result is corrected."),
        service=correct_fixture,
        what_follows=what_follows_from_correcting,
        foreseen_by=("winner", "points_yellow", "points_red", "goals_yellow", "goals_red", "is_rated"),
        inputs={
            "winner": Winner(),
            "points_yellow": Number(_("Yellow’s match points"), _USUAL_POINTS, most=MAX_POINTS),
            "points_red": Number(_("Red’s match points"), _USUAL_POINTS, most=MAX_POINTS),
            "goals_yellow": Number(_("Yellow’s goals"), _SAME_GOALS, most=MAX_GOALS),
            "goals_red": Number(_("Red’s goals"), _SAME_GOALS, most=MAX_GOALS),
            "is_rated": Rated(),
            "confirm": Confirm(),
            "reason": Reason(),
        },
        suits=lambda fixture: fixture.counted_at is not None and not fixture.is_annulled,
        when=was_played,
        is_grave=True,
    ),
    Act(
        "take-back-correction",
        "take_back_correction",
        FIXTURE,
        inverse="correct_result",
        title=_("Take back the correction"),
        question=_("The match has the result that it had before. What followed from the correction is taken back."),
        done=_("The correction is taken back."),
        service=take_back_correction,
        what_follows=what_follows_from_taking_back_correction,
        inputs={"confirm": Confirm(), "reason": Reason()},
        suits=lambda fixture: fixture.correction_id is not None and not fixture.is_annulled,
        when=was_played,
    ),
    Act(
        "take-back-decision",
        "take_back_decision",
        FIXTURE,
        inverse="adjudicate_fixture",
        title=_("Take back the decision"),
        question=_(
            "The match goes on from where it stood, with the clocks as they stood. The consequences of its result are "
            "taken back."
        ),
        done=_say_done(_("The decision is taken back.")),
        service=take_back_decision,
        what_follows=what_follows_from_taking_back_decision,
        foreseen_by=("counts",),
        is_foreseen_at_once=True,
        inputs={"counts": WhichCounts(), "confirm": Confirm(), "reason": Reason()},
        suits=lambda fixture: fixture.ending in DECIDED and not fixture.is_annulled and fixture.correction_id is None,
        when=was_played,
    ),
    Act(
        "take-back-annulment",
        "take_back_annulment",
        FIXTURE,
        inverse="annul_fixture",
        title=_("Take back the annulment"),
        question=_("The match counts again as it ended. If it had not ended, it goes on from where it stood."),
        done=_say_done(_("The annulment is taken back.")),
        service=take_back_annulment,
        what_follows=what_follows_from_taking_back_annulment,
        foreseen_by=("counts",),
        is_foreseen_at_once=True,
        inputs={"counts": WhichCounts(), "confirm": Confirm(), "reason": Reason()},
        suits=lambda fixture: fixture.annulment == Annulment.DECIDED,
        when=was_played,
    ),
    Act(
        "take-back-replay",
        "take_back_replay",
        FIXTURE,
        inverse="replay_fixture",
        title=_("Take back the replay"),
        question=_("The first match counts again, and the new one no longer does."),
        done=_say_done(_("The replay is taken back.")),
        service=take_back_replay,
        what_follows=what_follows_from_taking_back_replay,
        foreseen_by=("counts",),
        is_foreseen_at_once=True,
        inputs={"counts": WhichCounts(), "confirm": Confirm(), "reason": Reason()},
        suits=_is_played_again,
        when=was_played,
    ),
    Act(
        "dismiss-disputes",
        "dismiss_disputes",
        FIXTURE,
        inverse="take_back_dismissal",
        title=_("Let the result stand"),
        question=_("The disputes of this result are dismissed. Those who raised them are told your reason."),
        done=_("The result stands."),
        service=dismiss_disputes,
        inputs={"reason": Reason()},
        suits=lambda fixture: open_disputes().filter(fixture=fixture).exists(),
        when=was_played,
    ),
    Act(
        "take-back-dismissal",
        "take_back_dismissal",
        FIXTURE,
        inverse="dismiss_disputes",
        title=_("Take back the dismissal"),
        question=_("The disputes that were dismissed last wait for a decision again."),
        done=_("The result is disputed again."),
        service=take_back_dismissal,
        inputs={"reason": Reason()},
        suits=lambda fixture: dismissed_disputes(fixture).exists(),
        when=was_played,
    ),
    Act(
        "date",
        "set_round_date",
        ROUND,
        inverse="set_round_date",
        title=_("Set deadline"),
        question=_("The round must end by then. The cup’s options say what happens to unfinished matches."),
        done=_("The deadline is set."),
        service=set_round_date,
        inputs={"ends_at": RoundDate(), "reason": Reason(required=False)},
        suits=lambda round_: round_.ended_at is None,
        api_method="put",
    ),
    Act(
        "end",
        "end_round",
        ROUND,
        inverse="take_back_round_end",
        title=_("End round now"),
        question=_("All unfinished matches of the round end, and the cup goes on."),
        done=_("The round has ended."),
        service=end_round,
        inputs={"policy": RoundPolicy(), "reason": Reason()},
        suits=lambda round_: round_.started_at is not None and round_.ended_at is None,
        is_grave=True,
    ),
    Act(
        "take-back-end",
        "take_back_round_end",
        ROUND,
        inverse="end_round",
        title=_("Take back the end"),
        question=_(
            "The matches that were decided when the round was ended continue from where they stood, and the "
            "round has the time that was left. What followed from the results is taken back."
        ),
        done=_("The round goes on."),
        service=take_back_round_end,
        what_follows=what_follows_from_taking_back_round_end,
        inputs={"confirm": Confirm(), "reason": Reason()},
        suits=lambda round_: bool(round_.cuts),
        when=was_played,
    ),
    Act(
        "take-back-publication",
        "take_back_publication",
        ROUND,
        inverse="publish_round",
        title=_("Take back the publication"),
        question=_(
            "The round goes back to unpublished, with the same pairings. You can change them and publish the "
            "round again. Its matches no longer count."
        ),
        done=_("The round waits for you again."),
        service=take_back_publication,
        what_follows=what_follows_from_taking_back_publication,
        inputs={"confirm": Confirm(), "reason": Reason()},
        suits=lambda round_: round_.ended_at is None and round_.group.stage.abilities.pairs_by_results,
        own_answer=PROPOSED_ANSWER,
        is_grave=True,
    ),
)


PROPOSED_ROUND_ACTS: tuple[Act, ...] = (
    Act(
        "publish",
        "publish_round",
        PROPOSED_ROUND,
        inverse="take_back_publication",
        title=_("Publish"),
        question=_(
            "Everybody can see the pairings. If the cup is running, the matches begin, and the round’s days "
            "count from now. If the pairings differ from the draw, give a reason."
        ),
        done=_("The round is published."),
        service=publish_round,
        inputs={"version": PairingsVersion(), "reason": Reason(required=False)},
        own_answer=PUBLISHED_ANSWER,
        is_next=True,
    ),
    Act(
        "swap",
        "swap_players",
        PROPOSED_ROUND,
        inverse="swap_players",
        title=_("Swap two players"),
        question=_("The two players swap places: opponent and side, or bye. If they play each other, they swap sides."),
        done=_("The players are swapped."),
        service=swap_players,
        inputs={
            "first": PlacedPlayer(_("Player")),
            "second": PlacedPlayer(_("swaps places with")),
            "reason": Reason(required=False),
        },
    ),
    Act(
        "draw-again",
        "draw_round_again",
        PROPOSED_ROUND,
        final=_("It cannot be taken back: the draw follows from the results as they are now."),
        title=_("Draw again"),
        question=_(
            "The round is drawn again from the players who are in the competition now. Changes made by hand are lost."
        ),
        done=_("The round is drawn again."),
        service=draw_round_again,
        inputs={"reason": Reason(required=False)},
    ),
)
