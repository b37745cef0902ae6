"""Teams: clubs of players with a name, a shirt and a captain."""

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from matches.models.changed_at import Changing

MAX_TEAM_NAME = 40
MAX_FOLDED_NAME = 3 * MAX_TEAM_NAME
"""A character folds to three at most."""


class ShirtPattern(models.TextChoices):
    """The pattern of a shirt."""

    PLAIN = "plain", _("plain")
    HALVES = "halves", _("halves")
    STRIPES = "stripes", _("stripes")
    HOOPS = "hoops", _("hoops")
    SASH = "sash", _("sash")
    SLEEVES = "sleeves", _("sleeves of another colour")


class ShirtColour(models.TextChoices):
    """The colours that shirts have. How each looks is said by a style sheet."""

    WHITE = "white", _("white")
    YELLOW = "yellow", _("yellow")
    ORANGE = "orange", _("orange")
    RED = "red", _("red")
    CLARET = "claret", _("claret")
    PURPLE = "purple", _("purple")
    NAVY = "navy", _("navy")
    BLUE = "blue", _("blue")
    SKY = "sky", _("sky blue")
    GREEN = "green", _("green")
    BROWN = "brown", _("brown")
    BLACK = "black", _("black")


class Team(models.Model):
    """A club of players. Its captain is one of its members; since ``closed_at`` it has none and plays no more.

    The name is unique in any case of letters, also among teams that have been closed: their results keep it.
    ``folded_name`` is what is compared, as databases do not know the case of all letters. No other team may have a name
    that looks the same, by its ``skeleton``; those that did before that was compared have none.
    """

    name = models.CharField(_("name"), max_length=MAX_TEAM_NAME)
    folded_name = models.CharField(max_length=MAX_FOLDED_NAME, unique=True, editable=False)
    skeleton = models.TextField(unique=True, null=True, editable=False)  # noqa: DJ001 - NULL is not compared
    slug = models.SlugField(_("slug"), max_length=80, unique=True)
    pattern = models.CharField(_("pattern"), max_length=7, choices=ShirtPattern.choices, default=ShirtPattern.PLAIN)
    first_colour = models.CharField(
        _("first colour"), max_length=6, choices=ShirtColour.choices, default=ShirtColour.WHITE
    )
    second_colour = models.CharField(
        _("second colour"), max_length=6, choices=ShirtColour.choices, default=ShirtColour.BLACK
    )
    captain = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, related_name="captained_teams", verbose_name=_("captain")
    )
    created_at = models.DateTimeField(_("created"))
    closed_at = models.DateTimeField(_("closed"), null=True, blank=True)

    class Meta:
        verbose_name = _("team")
        verbose_name_plural = _("teams")
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.CheckConstraint(condition=Q(pattern__in=ShirtPattern.values), name="team_pattern_known"),
            models.CheckConstraint(
                condition=Q(first_colour__in=ShirtColour.values, second_colour__in=ShirtColour.values),
                name="team_colours_known",
            ),
        ]

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        """Return the page of the team."""
        return f"/teams/{self.slug}/"


class MembershipStatus(models.TextChoices):
    """The status of a membership, which begins with an invitation."""

    INVITED = "invited", _("invited")
    MEMBER = "member", _("member")
    DECLINED = "declined", _("declined")
    WITHDRAWN = "withdrawn", _("withdrawn")
    LEFT = "left", _("left")


class TeamMembership(Changing):
    """A player's time in a team, from the invitation on. A player who comes back has another one.

    A player has one at most in each team that is not over. ``joined_at`` is since when the player is a member,
    ``ended_at`` when they left, declined, or the captain withdrew the invitation.
    ``invited_by`` is empty for the founder.
    """

    SEEN = frozenset({"status"})

    team = models.ForeignKey(Team, models.CASCADE, related_name="memberships")
    player = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="team_memberships")
    invited_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+")
    status = models.CharField(
        _("status"), max_length=9, choices=MembershipStatus.choices, default=MembershipStatus.INVITED
    )
    invited_at = models.DateTimeField(_("invited"))
    joined_at = models.DateTimeField(_("member since"), null=True, blank=True)
    ended_at = models.DateTimeField(_("ended"), null=True, blank=True)

    class Meta:
        verbose_name = _("membership of a team")
        verbose_name_plural = _("memberships of teams")
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(
                fields=["team", "player"], condition=Q(ended_at=None), name="membership_one_at_a_time"
            ),
            models.CheckConstraint(
                condition=Q(status="invited", joined_at=None, ended_at=None)
                | Q(status="member", joined_at__isnull=False, ended_at=None)
                | Q(status__in=["declined", "withdrawn"], joined_at=None, ended_at__isnull=False)
                | Q(status="left", joined_at__isnull=False, ended_at__isnull=False),
                name="membership_dated_by_status",
            ),
        ]
        indexes: ClassVar[list[models.Index]] = [
            models.Index(fields=["player"], condition=Q(ended_at=None), name="membership_of_player"),
            models.Index(fields=["team", "invited_at"], name="membership_invited"),
            models.Index(fields=["changed_at"], name="membership_changed"),
        ]

    def __str__(self) -> str:
        return self.player.username
