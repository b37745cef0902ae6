"""Lists in the admin that stay fast however long they grow."""

import time
from typing import Any, ClassVar, cast

from django.contrib import admin
from django.core.paginator import Page, Paginator
from django.db.models import Model, QuerySet
from django.http import HttpRequest
from django.utils.functional import cached_property
from django.utils.translation import gettext_lazy as _

from players.selectors import find_any_player, players_named

MAX_COUNTED = 10_000

RECOUNT_DELAY = 3600
"""The number of seconds for which a process assumes that a whole table still has ``MAX_COUNTED`` rows."""

RECOUNT_AT: dict[type[Model], float] = {}
"""The tables that had ``MAX_COUNTED`` rows, and when each is counted again, by the monotonic clock."""


class BoundedPaginator(Paginator):
    """Counts at most ``MAX_COUNTED`` rows; older ones are found by searching or filtering.

    Rows in front of a page are passed over by their keys alone: only those on it are joined to others.
    """

    @cached_property
    def count(self) -> int:
        """Return the number of rows, at most ``MAX_COUNTED``.

        Those of a whole table are counted by the index of its keys from the oldest on: they hardly change any more, so
        that PostgreSQL need not look at the rows. A table of ``MAX_COUNTED`` is counted once in ``RECOUNT_DELAY``.
        """
        rows = cast("QuerySet[Any]", self.object_list)
        if rows.query.where:
            return rows.order_by()[:MAX_COUNTED].count()
        if time.monotonic() < RECOUNT_AT.get(rows.model, 0):
            return MAX_COUNTED
        counted = rows.order_by("pk")[:MAX_COUNTED].count()
        if counted == MAX_COUNTED:
            RECOUNT_AT[rows.model] = time.monotonic() + RECOUNT_DELAY
        return counted

    def page(self, number: int | str) -> Page[Any]:
        """Return a page; raises ``InvalidPage`` where there is none. One query, and one more behind the first page."""
        page = super().page(number)
        rows = cast("QuerySet[Any]", self.object_list)
        start, end = (page.number - 1) * self.per_page, page.number * self.per_page
        if start:
            # PostgreSQL would join all rows first to those of a subquery, where there are many joins.
            page.object_list = rows.filter(pk__in=list(rows.values_list("pk", flat=True)[start:end]))
        return page


MAX_PLAYERS = 50
"""The most players whose rows are searched for."""

MAX_ID_LENGTH = 18
"""Digits of any number that the database's integers hold."""


class BoundedAdmin(admin.ModelAdmin):
    """Pages of a list, counted no further than they go, the newest rows first, searched by what is indexed.

    ``player_paths`` lead to the players by a part of whose usernames the list is searched.
    """

    player_paths: ClassVar[tuple[str, ...]] = ()

    paginator = BoundedPaginator
    show_full_result_count = False
    list_per_page = 50
    list_max_show_all = 0
    ordering: ClassVar[tuple[str, ...]] = ("-pk",)
    sortable_by: ClassVar[tuple[str, ...]] = ()
    show_facets = admin.ShowFacets.NEVER
    search_help_text = _("A part of a username, three letters or more: what belongs to at most 50 players is found.")
    view_on_site = False

    def get_object(self, request: HttpRequest, object_id: str, from_field: str | None = None) -> Any:
        """Return the row, none for a number that no row can have and the database would fail to compare with."""
        return None if len(object_id) > MAX_ID_LENGTH else super().get_object(request, object_id, from_field)

    def get_search_fields(self, request: HttpRequest) -> list[str] | tuple[str, ...]:
        """Return what shows the search box; the search itself is by username."""
        return self.player_paths or super().get_search_fields(request)

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Any], search_term: str
    ) -> tuple[QuerySet[Any], bool]:
        """Return the rows in which players take part who have this in their usernames, in any case of letters.

        The player who is called just so is always among them; of others the newest are.
        """
        term = search_term.strip()
        if not self.player_paths or not term:
            return super().get_search_results(request, queryset, search_term)
        whole, named = find_any_player(username=term), players_named(part=term).order_by("-pk")
        players = [*([] if whole is None else [whole.pk]), *named.values_list("pk", flat=True)[:MAX_PLAYERS]]
        # Each path has its index; an OR of several would read the whole table.
        first, *others = (
            self.model._default_manager.filter(**{f"{path}__in": players[:MAX_PLAYERS]})  # noqa: SLF001
            for path in self.player_paths
        )
        found = first.order_by().values_list("pk", flat=True)
        found = found.union(*(rows.order_by().values_list("pk", flat=True) for rows in others))
        # Joined as a query they would be taken for many, and the table be read whole.
        return queryset.filter(pk__in=list(found.order_by("-pk")[:MAX_COUNTED])), False
