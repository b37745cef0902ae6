"""The admin for organisers: their competitions and what belongs to them; superusers see all."""

from typing import Any, ClassVar, NamedTuple, cast

from django.contrib import admin
from django.db.models import Model, QuerySet
from django.http import HttpRequest, HttpResponse
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from players.admin.lists import BoundedAdmin
from players.models import Player
from rules_engine.registry import GAMES, SPECS
from tournaments.desk.acts import Kind, acts_on
from tournaments.models import Competition
from tournaments.models.rights import Right
from tournaments.office.selectors.organisers import competitions_run_by, rights_in, rights_to

MAX_COMPETITIONS_OFFERED = 20


class CompetitionFilter(admin.SimpleListFilter):
    """Rows of one competition. Offers the newest of one's competitions only, whose number has no bound."""

    title = _("competition")
    parameter_name = "competition"

    def lookups(self, request: HttpRequest, model_admin: admin.ModelAdmin) -> list[tuple[str, str]]:
        """Return the newest competitions, and the chosen one."""
        own = competitions_run_by(player=request.user, right=Right.DECIDE).order_by("-pk")
        offered = dict(own.values_list("pk", "name")[:MAX_COMPETITIONS_OFFERED])
        chosen = self.value()
        if chosen is not None and chosen not in map(str, offered):
            offered |= dict(own.filter(pk=int(chosen)).values_list("pk", "name"))
        return [(str(pk), name) for pk, name in offered.items()]

    def value(self) -> str | None:
        """Return the chosen competition's id; what is no id chooses nothing."""
        value = super().value()
        return value if value and value.isascii() and value.isdigit() and len(value) < 19 else None

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        """Return the rows of the chosen competition."""
        if self.value() is None:
            return queryset
        return queryset.filter(**{self._path(queryset.model): self.value()})

    def _path(self, model: type[Model]) -> str:
        return cast("OrganisersAdmin", admin.site.get_model_admin(model)).competition_path


class GameFilter(admin.SimpleListFilter):
    """Rows of one game. The games are known: no list has to be searched for them."""

    title = _("game")
    parameter_name = "game"

    def lookups(self, request: HttpRequest, model_admin: admin.ModelAdmin) -> list[tuple[str, str]]:
        """Return every game by its title."""
        return [(game.key, game.title) for game in GAMES.values()]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        """Return the rows of the chosen game."""
        return queryset.filter(game=self.value()) if self.value() else queryset


class FamilyFilter(GameFilter):
    """Rows of one family of games."""

    parameter_name = "family"

    def lookups(self, request: HttpRequest, model_admin: admin.ModelAdmin) -> list[tuple[str, str]]:
        """Return every family."""
        return [(family, family) for family in sorted(SPECS)]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        """Return the rows of the chosen family."""
        return queryset.filter(family=self.value()) if self.value() else queryset


class Link(NamedTuple):
    """A link at the head of a row's page, to a page of the site where more can be done with it."""

    title: str | Promise
    url: str


def links_to_acts(request: HttpRequest, kind: Kind, competition: Competition, subject: Any) -> list[Link]:
    """Return links to the organisers' page of something in a competition, and to the acts that the user may do."""
    player = cast("Player", request.user)
    rights = rights_to(subject=subject, player=player, rights=rights_in(competition=competition, player=player))
    acts = acts_on(kind, competition, subject, rights)
    page = Link(_("Organise"), f"{competition.get_desk_url()}{kind.page_of(subject)}")
    return [page, *(Link(act.title, act.url(competition, subject)) for act in acts)]


class ReadOnlyAdmin(BoundedAdmin):
    """Rows that are looked at. Nothing is ever deleted: competitions are cancelled, results annulled."""

    actions = None

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Refuse to add a row: services make them."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        """Refuse to change a row: services alone change results, tables and logs."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        """Return ``False``: nothing is deleted."""
        return False


class OrganisersAdmin(ReadOnlyAdmin):
    """Lists that are limited to the competitions in which the user has a ``right``.

    ``competition_path`` leads from a row to its competition.
    """

    competition_path: ClassVar[str]
    right: ClassVar[Right] = Right.DECIDE

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        """Return the rows of competitions that the user runs."""
        rows = super().get_queryset(request)
        if isinstance(request.user, Player) and request.user.is_superuser:
            return rows
        own = competitions_run_by(player=request.user, right=self.right)
        return rows.filter(**{f"{self.competition_path}__in": own.values("pk")})

    def find_links(self, request: HttpRequest, row: Any) -> list[Link]:
        """Return the links at the head of the row's page."""
        return []

    def render_change_form(  # type: ignore[override] # Django gives the rest by name
        self, request: HttpRequest, context: dict[str, Any], *, obj: Any = None, **about: Any
    ) -> HttpResponse:
        """Return the page of a row, with the row's links."""
        context["links"] = self.find_links(request, obj) if obj is not None else []
        return super().render_change_form(request, context, obj=obj, **about)

    def has_module_permission(self, request: HttpRequest) -> bool:
        """Show the section to staff."""
        return _is_staff(request)

    def has_view_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        """Show staff what the list is limited to."""
        return _is_staff(request)


def _is_staff(request: HttpRequest) -> bool:
    return isinstance(request.user, Player) and request.user.is_active and request.user.is_staff
