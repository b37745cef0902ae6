"""The formats of the stages that staff choose before they fill in the form of a competition."""

from collections.abc import Collection, Mapping, Sequence
from copy import deepcopy

from django import forms
from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy as _

from formats.protocol import Flow, Format
from tournaments.making.services.competitions import STAGES
from tournaments.models import Stage
from tournaments.rounds.services.stage_checks import MAX_STAGES, option_name


class StageFormatsForm(forms.Form):
    """The format of each stage that may still have another one, and of a stage to be added behind them.

    Ladders have one stage. Without ``fields`` there is nothing to choose.
    """

    def __init__(self, stages: Sequence[Stage], *, offered: Sequence[Format], fixed: Collection[str]) -> None:
        super().__init__()
        formats = [stage.format for stage in stages]
        if not stages[0].is_endless and len(stages) < MAX_STAGES and STAGES not in fixed:
            formats.append("")
        for number, key in enumerate(formats, start=1):
            if option_name(number, "format") in fixed:
                continue
            none = [("", _("no stage"))] if number > 1 else []
            self.fields[option_name(number, "format")] = forms.ChoiceField(
                label=format_lazy("{} {}", _("Stage"), number),
                choices=[*none, *((spec.key, _(spec.label)) for spec in offered)],
                initial=key,
                required=False,
            )


def choose_formats(
    stages: Sequence[Stage], chosen: Mapping[str, str], *, offered: Sequence[Format], fixed: Collection[str]
) -> list[Stage]:
    """Return the stages with the formats that are chosen by the names of fields; where one goes, others move up.

    What is not chosen, not offered or fixed stays as it is. Another format brings its own options and order.
    """
    keys, kept = {spec.key for spec in offered}, list[Stage]()
    for number in range(1, MAX_STAGES + 1):
        name = option_name(number, "format")
        if number > len(stages):
            key = chosen.get(name)
            if key in keys and STAGES not in fixed:
                kept.append(Stage(format=key))
            continue
        stage = deepcopy(stages[number - 1])
        key = stage.format if name in fixed else chosen.get(name, stage.format)
        if key in keys and key != stage.format:
            stage.format, stage.options, stage.tiebreaks = key, {}, []
            if stage.format_spec.flow is not Flow.ROUNDS:
                stage.grouping = None
        if key or number == 1:
            kept.append(stage)
    for number, stage in enumerate(kept, start=1):
        stage.number = number
    if kept[-1].max_levels is None:
        # Nobody goes on from what has become the last stage.
        kept[-1].advance = None
    return kept[:1] if stages[0].is_endless else kept
