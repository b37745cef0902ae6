"""The sentences of mails about lines of a log that are the same for all who read them, by the actions."""

from collections.abc import Mapping

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy

from tournaments.models import LogEntry

Text = tuple[str | Promise, str | Promise]
"""A headline for the mail's subject, and a sentence."""

TO_PLAYERS: Mapping[str, Text] = {
    "organiser-named": (
        gettext_lazy("you are now an organiser"),
        gettext_lazy("%(actor)s has made you an organiser of %(competition)s."),
    ),
    "organiser-gone": (
        gettext_lazy("you no longer organise it"),
        gettext_lazy("%(actor)s has removed you as an organiser of %(competition)s."),
    ),
    "helper-named": (
        gettext_lazy("you are a helper now"),
        gettext_lazy("%(actor)s has made you a helper of %(competition)s: you may decide its matches."),
    ),
    "helper-gone": (
        gettext_lazy("you are no longer a helper"),
        gettext_lazy("%(actor)s has removed you as a helper of %(competition)s."),
    ),
    "organiser-invited": (
        gettext_lazy("you are asked to organise it"),
        gettext_lazy(
            "%(actor)s asks you to be an organiser of %(competition)s, with the same rights as they have. "
            "Accept or decline here:"
        ),
    ),
    "helper-invited": (
        gettext_lazy("you are asked to help"),
        gettext_lazy(
            "%(actor)s asks you to be a helper of %(competition)s: helpers may decide its matches. "
            "Accept or decline here:"
        ),
    ),
    "role-accepted": (
        gettext_lazy("%(subject)s runs it with you"),
        gettext_lazy("%(subject)s has accepted and runs %(competition)s with you from now on."),
    ),
    "role-declined": (
        gettext_lazy("%(subject)s has declined"),
        gettext_lazy("%(subject)s has declined to run %(competition)s with you."),
    ),
    "invited": (
        gettext_lazy("you are invited"),
        gettext_lazy(
            "%(actor)s invites you to play in %(competition)s. You play only if you accept before it starts. "
            "Accept or decline here:"
        ),
    ),
    "announced": (
        gettext_lazy("an announcement"),
        gettext_lazy("%(actor)s has posted an announcement in %(competition)s:"),
    ),
    "cancelled": (gettext_lazy("cancelled"), gettext_lazy("%(competition)s is cancelled.")),
    "end-undone": (
        gettext_lazy("it is not over"),
        gettext_lazy("The end of %(competition)s has been taken back."),
    ),
    "paused": (
        gettext_lazy("paused"),
        gettext_lazy("%(competition)s is paused. The clocks of your matches are stopped."),
    ),
    "resumed": (
        gettext_lazy("resumed"),
        gettext_lazy("%(competition)s has been resumed. The clocks of your matches are running again."),
    ),
    "time-given-back": (
        gettext_lazy("time was given back"),
        gettext_lazy(
            "The site stood still for %(subject)s. %(competition)s got this time back: clocks that ran and dates that "
            "fell into it are later by as much."
        ),
    ),
    "entered": (gettext_lazy("you have been entered"), gettext_lazy("%(actor)s has entered you in %(competition)s.")),
    "imported": (gettext_lazy("you have been entered"), gettext_lazy("%(actor)s has entered you in %(competition)s.")),
    "entered-again": (
        gettext_lazy("you are in the next season"),
        gettext_lazy(
            "The next season, %(competition)s, is coming up. You played in the last one, so you are entered "
            "again. Leave it if you do not want to play."
        ),
    ),
    "entered-final": (
        gettext_lazy("you are in the final of the year"),
        gettext_lazy(
            "You won one of this year's seasons, so you are entered in %(competition)s. Leave it if you do not "
            "want to play."
        ),
    ),
    "conditions-changed": (
        gettext_lazy("its conditions have changed"),
        gettext_lazy("%(actor)s has changed the conditions of %(competition)s:"),
    ),
    "opened": (
        gettext_lazy("you have been entered"),
        gettext_lazy(
            "%(competition)s is open for entry, and you are in it already. Leave it if you do not want to play."
        ),
    ),
    "moved-up": (
        gettext_lazy("a place became free: you play"),
        gettext_lazy("You have moved up from the waiting list of %(competition)s: you are now in it."),
    ),
    "waiting-removed": (
        gettext_lazy("you are off the waiting list"),
        gettext_lazy("%(actor)s has removed you from the waiting list of %(competition)s."),
    ),
    "waiting-restored": (
        gettext_lazy("you are on the waiting list again"),
        gettext_lazy(
            "%(actor)s has put you back on the waiting list of %(competition)s, in your old place. Leave it if you do "
            "not want to play."
        ),
    ),
    "waiting-ended": (
        gettext_lazy("it has started without you"),
        gettext_lazy("%(competition)s has started, and no place became free for you. Its waiting list has ended."),
    ),
    "invitation-lapsed": (
        gettext_lazy("it has started without you"),
        gettext_lazy("%(competition)s has started. Your invitation was not answered, and has lapsed."),
    ),
    "waiting-cancelled": (
        gettext_lazy("cancelled"),
        gettext_lazy("%(competition)s is cancelled, and you were on its waiting list."),
    ),
    "check-in-undone": (
        gettext_lazy("the check-in has been cancelled"),
        gettext_lazy("The check-in for %(competition)s has been cancelled: nobody has to check in now."),
    ),
    "checked-in-undone": (
        gettext_lazy("you are no longer checked in"),
        gettext_lazy("%(actor)s has taken back your check-in to %(competition)s."),
    ),
    "left-out": (
        gettext_lazy("it has started without you"),
        gettext_lazy("%(competition)s has started without you, because you had not checked in."),
    ),
    "left-out-undone": (
        gettext_lazy("you are in it again"),
        gettext_lazy("The start of %(competition)s has been taken back, and you are in it again."),
    ),
    "moved-up-undone": (
        gettext_lazy("you are on the waiting list again"),
        gettext_lazy("The start of %(competition)s has been taken back, and you are on its waiting list again."),
    ),
    "withdrew": (
        gettext_lazy("you have been withdrawn"),
        gettext_lazy("You have been withdrawn from %(competition)s."),
    ),
    "disqualified": (
        gettext_lazy("you have been disqualified"),
        gettext_lazy("%(actor)s has disqualified you from %(competition)s."),
    ),
    "came-back": (
        gettext_lazy("you are back"),
        gettext_lazy("In %(competition)s you have the place of a player who beat you and has been disqualified."),
    ),
    "left": (gettext_lazy("you are no longer in it"), gettext_lazy("You are no longer in %(competition)s.")),
    "bye-requested": (
        gettext_lazy("a bye for you"),
        gettext_lazy("%(actor)s has asked for a bye for you in %(competition)s: %(subject)s."),
    ),
    "queue-moved": (
        gettext_lazy("your place in the queue has changed"),
        gettext_lazy(
            "%(actor)s has moved %(subject)s in the queue of %(competition)s, by which your place in it has changed."
        ),
    ),
    "adjudicated": (
        gettext_lazy("your match has been decided"),
        gettext_lazy("%(actor)s has decided your match in %(competition)s. Match and winner: %(subject)s."),
    ),
    "corrected": (
        gettext_lazy("the result of your match has been corrected"),
        gettext_lazy("%(actor)s has corrected the result of your match in %(competition)s: %(subject)s."),
    ),
    "dispute-dismissed": (
        gettext_lazy("the result of your match stands"),
        gettext_lazy(
            "%(actor)s has dismissed your dispute in %(competition)s: the result of the match %(subject)s stands."
        ),
    ),
    "outage-forgiven": (
        gettext_lazy("your match goes on"),
        gettext_lazy(
            "%(actor)s lets matches of %(competition)s go on that were lost on time in an outage: %(subject)s. The "
            "clocks hold what they held before."
        ),
    ),
    "annulled": (
        gettext_lazy("your match no longer counts"),
        gettext_lazy("%(actor)s has annulled your match in %(competition)s: %(subject)s."),
    ),
    "replayed": (
        gettext_lazy("your match will be replayed"),
        gettext_lazy("%(actor)s has ordered a replay of your match in %(competition)s: %(subject)s."),
    ),
    "extended": (
        gettext_lazy("more time for you"),
        gettext_lazy("%(actor)s has given you more time in %(competition)s. %(subject)s."),
    ),
    "extension-undone": (
        gettext_lazy("extra time was taken back"),
        gettext_lazy("%(actor)s has taken back extra time of yours in %(competition)s. %(subject)s."),
    ),
    "match-paused": (
        gettext_lazy("your match is paused"),
        gettext_lazy("%(actor)s has paused your match in %(competition)s: %(subject)s. The clocks are stopped."),
    ),
    "match-resumed": (
        gettext_lazy("your match has been resumed"),
        gettext_lazy("%(actor)s has resumed your match in %(competition)s: %(subject)s. The clocks are running again."),
    ),
    "tie-decided": (
        gettext_lazy("your tie has been decided"),
        gettext_lazy("Your tie in %(competition)s was decided without another match: %(subject)s."),
    ),
    "round-cut-short": (
        gettext_lazy("a round was ended early"),
        gettext_lazy("Round %(subject)s of %(competition)s was ended before your matches were over."),
    ),
    "round-ending": (
        gettext_lazy("a round ends soon"),
        gettext_lazy(
            "Round %(subject)s of %(competition)s ends soon, and you still have unfinished matches in it. It ends on"
        ),
    ),
}

_TO_ORGANISERS: Mapping[str, Text] = {
    "season-announced": (
        gettext_lazy("the next season is announced"),
        gettext_lazy("The next season, %(competition)s, has been announced, and is open for entry."),
    ),
    "final-announced": (
        gettext_lazy("the final of the year is announced"),
        gettext_lazy("%(competition)s has been announced: the winners of the year are entered."),
    ),
    "invitation-accepted": (
        gettext_lazy("an invitation was accepted"),
        gettext_lazy("%(subject)s has accepted the invitation, and plays in %(competition)s."),
    ),
    "invitation-declined": (
        gettext_lazy("an invitation was declined"),
        gettext_lazy("%(subject)s has declined the invitation to %(competition)s."),
    ),
    "entered": (
        gettext_lazy("a player has been entered"),
        gettext_lazy("%(actor)s has entered %(subject)s in %(competition)s."),
    ),
    "imported": (
        gettext_lazy("players have been entered"),
        gettext_lazy("%(actor)s has entered players from a list in %(competition)s: %(subject)s."),
    ),
    "joined": (gettext_lazy("a player has joined"), gettext_lazy("%(subject)s has joined %(competition)s.")),
    "departed": (gettext_lazy("a player has left"), gettext_lazy("%(subject)s has left %(competition)s.")),
    "withdrew": (
        gettext_lazy("a player has been withdrawn"),
        gettext_lazy("%(subject)s no longer plays in %(competition)s."),
    ),
    "disqualified": (
        gettext_lazy("a player has been disqualified"),
        gettext_lazy("%(actor)s has disqualified %(subject)s from %(competition)s."),
    ),
    "left": (gettext_lazy("a player has left"), gettext_lazy("%(subject)s is no longer in %(competition)s.")),
    "waiting-joined": (
        gettext_lazy("a player is on the waiting list"),
        gettext_lazy("%(subject)s is on the waiting list of %(competition)s now."),
    ),
    "waiting-left": (
        gettext_lazy("a player has left the waiting list"),
        gettext_lazy("%(subject)s is no longer on the waiting list of %(competition)s."),
    ),
    "moved-up": (
        gettext_lazy("a player has moved up"),
        gettext_lazy("%(subject)s has moved up from the waiting list, and plays in %(competition)s."),
    ),
    "left-out": (
        gettext_lazy("players were left out"),
        gettext_lazy("%(competition)s has started without players who had not checked in: %(subject)s."),
    ),
    "replaced": (
        gettext_lazy("a place has been taken over"),
        gettext_lazy("Another player has taken over a place in %(competition)s: %(subject)s."),
    ),
    "full": (
        gettext_lazy("it is full"),
        gettext_lazy("%(competition)s is full. Players who have joined: %(subject)s."),
    ),
    "startable": (
        gettext_lazy("enough players to start"),
        gettext_lazy("%(competition)s has enough players to start. Players who have joined: %(subject)s."),
    ),
    "round-proposed": (
        gettext_lazy("a round is waiting for you"),
        gettext_lazy(
            "Round %(subject)s of %(competition)s has been drawn. It cannot begin until an organiser publishes it."
        ),
    ),
    "disputed": (
        gettext_lazy("a result is disputed"),
        gettext_lazy(
            "%(actor)s disputes the result of %(subject)s in %(competition)s. Decide whether it stands on the match’s "
            "page for organisers."
        ),
    ),
    "round-ending": (
        gettext_lazy("a round ends soon"),
        gettext_lazy("Round %(subject)s of %(competition)s has unfinished matches. It ends on"),
    ),
    "round-overdue": (
        gettext_lazy("matches need a decision"),
        gettext_lazy(
            "Round %(subject)s of %(competition)s is waiting for unfinished matches. Decide them, or set a later "
            "deadline. It should have ended on"
        ),
    ),
}


_TO_CAPTAINS: Mapping[str, Text] = {
    "invitation-lapsed": (
        gettext_lazy("it has started without your team"),
        gettext_lazy("%(competition)s has started. The invitation of your team was not answered, and has lapsed."),
    ),
    "opened": (
        gettext_lazy("your team has been entered"),
        gettext_lazy(
            "%(competition)s is open for entry, and your team is in it already. Withdraw it if it is not to play."
        ),
    ),
    "tie-decided": (
        gettext_lazy("your team's tie has been decided"),
        gettext_lazy("Your team's tie in %(competition)s was decided without another match: %(subject)s."),
    ),
    "entered": (
        gettext_lazy("your team has been entered"),
        gettext_lazy("%(actor)s has entered your team %(subject)s in %(competition)s."),
    ),
    "withdrew": (
        gettext_lazy("your team has been withdrawn"),
        gettext_lazy("Your team %(subject)s has been withdrawn from %(competition)s."),
    ),
    "disqualified": (
        gettext_lazy("your team has been disqualified"),
        gettext_lazy("%(actor)s has disqualified your team %(subject)s from %(competition)s."),
    ),
    "came-back": (
        gettext_lazy("your team is back"),
        gettext_lazy(
            "In %(competition)s your team %(subject)s has the place of a team that beat it and has been disqualified."
        ),
    ),
}
"""The sentences for the captain of a team that differ from those for a single player."""

_OF_TEAMS_TO_ORGANISERS: Mapping[str, Text] = {
    "entered": (
        gettext_lazy("a team has been entered"),
        gettext_lazy("%(actor)s has entered %(subject)s in %(competition)s."),
    ),
    "joined": (gettext_lazy("a team has joined"), gettext_lazy("%(subject)s has joined %(competition)s.")),
    "departed": (gettext_lazy("a team has left"), gettext_lazy("%(subject)s has left %(competition)s.")),
    "withdrew": (
        gettext_lazy("a team has been withdrawn"),
        gettext_lazy("%(subject)s no longer plays in %(competition)s."),
    ),
    "disqualified": (
        gettext_lazy("a team has been disqualified"),
        gettext_lazy("%(actor)s has disqualified %(subject)s from %(competition)s."),
    ),
    "full": (gettext_lazy("it is full"), gettext_lazy("%(competition)s is full. Teams that have joined: %(subject)s.")),
    "startable": (
        gettext_lazy("enough players to start"),
        gettext_lazy("%(competition)s has enough teams to start. Teams that have joined: %(subject)s."),
    ),
}


def find_text(line: LogEntry, *, organises: bool) -> Text | None:
    """Return what players, or organisers, read of a line, ``None`` where that is not in the tables."""
    of_teams = _OF_TEAMS_TO_ORGANISERS if organises else _TO_CAPTAINS
    if line.competition.boards is not None and line.action in of_teams:
        return of_teams[line.action]
    return (_TO_ORGANISERS if organises else TO_PLAYERS).get(line.action)
