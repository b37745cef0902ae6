"""The form in which staff make and change ladders and cups: that of the pages, and what staff alone choose."""

from collections.abc import Collection, Mapping, Sequence
from copy import deepcopy
from typing import Any, cast

from django import forms
from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy as _

from database.clock import current_moment
from formats.scoring.points import name_table, read_table
from formats.team_meetings import usual_order
from tournaments.making.admin.fields import (
    NAMES,
    TiebreaksField,
    UsernamesField,
    make_point_fields,
    read_points,
    show_points,
)
from tournaments.making.draft_forms import AS_IT_IS, OWN, DraftForm
from tournaments.making.services.competitions import check_change
from tournaments.making.services.drafts import MAX_NAME_LENGTH, check_draft, find_changes
from tournaments.models import Competition, Stage
from tournaments.office.errors import OptionsChanged
from tournaments.office.services.option_versions import check_version
from tournaments.rounds.services.stage_checks import option_name
from web.errors import DomainError


class StaffForm(DraftForm):
    """The form of all options of a competition with these stages.

    Staff also choose its slug and its organisers, the order of each table, and points of its own. ``instance`` is
    what it becomes; of one that is stored only ``changed_options`` are to be stored.
    """

    offers_all = True

    slug = forms.SlugField(
        label=_("Slug"),
        max_length=MAX_NAME_LENGTH,
        required=False,
        help_text=_("Leave it empty to make one from the name."),
    )
    organisers = UsernamesField(
        label=_("Organisers"),
        required=False,
        help_text=_("Usernames, separated by commas. The player who creates the competition is one of them."),
    )

    def __init__(
        self,
        data: Any = None,
        *,
        competition: Competition,
        stages: Sequence[Stage],
        fixed: Collection[str] = (),
    ) -> None:
        super().__init__(data, competition=deepcopy(competition), stages=stages, fixed=fixed)
        self.before, self.instance, self.fixed = competition, self.competition, fixed
        if competition.pk is not None:
            self.fields["reason"].required = False
            self.initial["organisers"] = list(competition.organisers.all())
        for part in self.by_stage:
            name = option_name(part.number, "tiebreaks")
            if name not in fixed:
                self.fields[name] = TiebreaksField(
                    label=_("Order of the table"),
                    required=False,
                    help_text=_(
                        "Each tie-break decides between players who are level on the ones before it. The draw decides "
                        "last. Leave all empty for the usual order."
                    ),
                )
                self.initial[name] = part.stage.tiebreaks
        if "point_table" in self.fields:
            self._offer_own_points()

    @property
    def fieldsets(self) -> list[tuple[Any, dict[str, Any]]]:
        """Return the fields in the order of the page, as the admin takes them: (title, about)."""
        sections: list[tuple[Any, Sequence[str]]] = [
            (None, ("name", "slug", "description", "organisers")),
            (_("Game and time"), (*self.about[1:], "is_rated", "vacation_limit", "begin_hours", "protest_hours")),
        ]
        for part in self.by_stage:
            label = _(part.stage.format_spec.label)
            title = label if part.last == 1 else format_lazy("{} {}: {}", _("Stage"), part.number, label)
            sections.append((title, (*part.fields, option_name(part.number, "tiebreaks"))))
        sections += [
            (_("Match points"), ("point_table", *NAMES.values(), "disqualification")),
            (
                _("Entry"),
                ("max_entrants", "min_rating", "max_rating", "admits_computers", "entry", "new_password"),
            ),
            (_("Start"), ("start", "starts_at", "check_in_minutes")),
            (None, ("asks_again", "reason", "version")),
        ]
        shown = [(title, [name for name in names if name in self.fields]) for title, names in sections]
        return [(title, {"fields": names}) for title, names in shown if names]

    def clean_slug(self) -> str:
        """Return the slug, the present one where none is given. Raises ``ValidationError`` for one that is taken."""
        slug: str = self.cleaned_data["slug"] or self.before.slug
        if slug and Competition.objects.filter(slug=slug).exclude(pk=self.before.pk).exists():
            raise forms.ValidationError(_("Another competition has this slug."))
        return slug

    def clean(self) -> dict[str, Any]:
        """Give the competition and its stages what was chosen, and say what is wrong with it all."""
        data = super().clean()
        for part in self.by_stage:
            if (name := option_name(part.number, "tiebreaks")) in data:
                usual = usual_order(part.stage.format_spec, of_teams=self.instance.boards is not None)
                part.stage.tiebreaks = data[name] or list(usual)
        try:
            if "version" in data:
                check_version(competition=self.before, version=data["version"])
            if not self.errors:
                check_draft(
                    competition=self.instance, stages=self.stages, now=current_moment(), written=self.changed_data
                )
                if "version" in data:
                    told = {name: data[name] for name in ("reason", "asks_again") if name in self.fields}
                    check_change(competition=self.before, changed=self.changed_options(), **told)
        except OptionsChanged as refusal:
            self.add_error(None, refusal.reason)
        except DomainError as refusal:
            self.show(refusal)
        return data

    def changed_options(self) -> set[str]:
        """Return the names of the options of the competition and of its stages that are others than before."""
        return find_changes(
            before=self.before, after=self.instance, stages_before=self.before.all_stages, stages=self.stages
        )

    def _offer_own_points(self) -> None:
        choice = cast("forms.ChoiceField", self.fields["point_table"])
        stock = [each for each in cast("list[Any]", choice.choices) if each[0] != AS_IT_IS]
        choice.choices = [*stock, (OWN, _("numbers of your own"))]
        choice.help_text = _("What a match is worth here. The numbers below count only if you choose your own.")
        self.initial["point_table"] = name_table(read_table(self.before.point_table)) or OWN
        self.fields |= make_point_fields()
        self.initial = {**self.initial, **show_points(self.before.point_table)}

    def _write_point_table(self, chosen: str, data: Mapping[str, Any]) -> None:
        if chosen != OWN:
            super()._write_point_table(chosen, data)
            return
        try:
            self.instance.point_table = read_points(data)
        except forms.ValidationError as error:
            self.add_error(None, error)
