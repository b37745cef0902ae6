"""The columns of a table that add up results: on pages, on the cards of groups, and in exports."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from tournaments.models import Standing


@dataclass(frozen=True, slots=True)
class Column:
    """A number of a row, or two joined by a colon; ``fields`` of ``Standing`` have them.

    ``meaning`` explains a ``heading`` that is short. Cards of groups have room only for those ``on_cards``.
    """

    fields: tuple[str, ...]
    heading: str | Promise
    meaning: str | Promise = ""
    on_cards: bool = False

    def show(self, standing: Standing | None) -> str:
        """Return what stands in a row: zeros before the first result."""
        return ":".join(str(getattr(standing, name, 0)) for name in self.fields)


COLUMNS: Sequence[Column] = (
    Column(("played",), _("P"), _("played"), on_cards=True),
    Column(("won",), _("W"), _("won")),
    Column(("drawn",), _("D"), _("drawn")),
    Column(("lost",), _("L"), _("lost")),
    Column(("goals_for", "goals_against"), _("Goals"), on_cards=True),
)
POINTS = Column(("points",), _("Pts"), _("match points"), on_cards=True)
FIELDS = tuple(name for column in (*COLUMNS, POINTS) for name in column.fields)
