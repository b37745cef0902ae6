"""Let a competition come again, change when and how, and end that. The organisers of the last season do it."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils.translation import gettext as _

from players.models import Player
from tournaments.making.errors import InvalidSeries, SeriesRefused
from tournaments.making.selectors.series import last_season_of, usual_options
from tournaments.making.services.drafts import MAX_START_AHEAD, make_draft
from tournaments.models import Competition, Series, Stage
from tournaments.models.carry_overs import CARRY_OVERS, NOBODY, PROMOTION
from tournaments.models.season_dates import Rhythm, find_date_after, read_days, write_days
from tournaments.models.series import MAX_SERIES_NAME
from tournaments.office.selectors.organisers import check_organiser
from tournaments.office.services.after_commit import notify_season
from tournaments.office.services.locks import lock_competition
from tournaments.office.services.log import log_action
from tournaments.office.services.slugs import find_free_slug
from web.errors import InvalidDetails
from web.written_texts import clean_name

SERIES_OPTIONS = ("name", "rhythm", "anchor", "days", "announce_days", "carry_over", "overlap", "year_final")
"""The choices of organisers for a series."""

MAX_DAYS = 24


def make_series(*, competition: Competition, options: Mapping[str, Any], actor: Player, now: datetime) -> Series:
    """Let a competition come again, as season 1 of a new series, and return that.

    ``options`` are some of ``SERIES_OPTIONS``; dates count from the start of the competition, or from now, unless they
    have an ``anchor``. Options that are not chosen are as ``usual_options`` says. Raises ``NotAnOrganiser``,
    ``SeriesRefused`` or ``InvalidSeries``.
    """
    with transaction.atomic():
        locked = lock_competition(competition_id=competition.pk)
        check_organiser(competition=locked, player=actor)
        if locked.series_id is not None:
            raise SeriesRefused(_("This competition already belongs to a series."))
        if locked.is_endless:
            raise SeriesRefused(_("A ladder never ends, so it cannot have seasons."))
        usual = usual_options(locked)
        if options.get("rhythm") == Rhythm.AFTER_END:
            usual.pop("overlap", None)
        series = Series(name=locked.name[:MAX_SERIES_NAME], anchor=locked.starts_at or locked.started_at or now)
        _apply(series, {**usual, **options}, now)
        _check_teams(series, locked)
        if series.overlap and series.anchor <= now:
            # No season is announced for a date that has passed.
            series.anchor = find_date_after(series.calendar, now)
        series.slug = find_free_slug(series.name, among=Series.objects.all(), otherwise="series")
        series.created_at = now
        series.save(force_insert=True)
        locked.series, locked.season = series, 1
        locked.save(update_fields=["series", "season"])
        competition.series, competition.season = series, 1
        log_action(competition=locked, action="series-made", actor=actor, subject=series.name, now=now)
        notify_season(series_id=series.pk)
    return series


def make_first_season(
    *, competition: Competition, stages: Sequence[Stage], rhythm: str, maker: Player, now: datetime
) -> Series:
    """Store a competition as a draft, and let it come again as ``usual_options`` says; return the series.

    Raises what ``make_draft`` and ``make_series`` raise, and stores nothing then.
    """
    with transaction.atomic():
        make_draft(competition=competition, stages=stages, maker=maker, now=now)
        return make_series(competition=competition, options={"rhythm": rhythm}, actor=maker, now=now)


def edit_series(*, series_id: int, options: Mapping[str, Any], actor: Player, now: datetime) -> Series:
    """Change some of ``SERIES_OPTIONS`` and return the series; a season that is announced stays as it is.

    Raises ``NotAnOrganiser``, ``SeriesRefused`` once the series has ended, or ``InvalidSeries``.
    """
    with transaction.atomic():
        series, last = lock_series(series_id=series_id)
        check_organiser(competition=last, player=actor)
        if series.ended_at is not None:
            raise SeriesRefused(_("This series has ended."))
        _apply(series, options, now)
        _check_teams(series, last)
        series.save(update_fields=SERIES_OPTIONS)
        log_action(competition=last, action="series-changed", actor=actor, subject=series.name, now=now)
        notify_season(series_id=series.pk)
    return series


def end_series(*, series_id: int, actor: Player, now: datetime, year_final: bool = True) -> Series:
    """Let no further season come and return the series; what is announced or running goes on. Again has no effect.

    Without the ``year_final`` no final is announced any more either, which can be said after the end, too. Raises
    ``NotAnOrganiser``.
    """
    with transaction.atomic():
        series, last = lock_series(series_id=series_id)
        check_organiser(competition=last, player=actor)
        if series.ended_at is None:
            series.ended_at = now
            series.save(update_fields=["ended_at"])
            log_action(competition=last, action="series-ended", actor=actor, subject=series.name, now=now)
        if series.year_final and not year_final:
            series.year_final = False
            series.save(update_fields=["year_final"])
            log_action(competition=last, action="year-final-dropped", actor=actor, subject=series.name, now=now)
    return series


def lock_series(*, series_id: int) -> tuple[Series, Competition]:
    """Return a series and its last season, and lock the series until the transaction ends.

    Its lock comes before those of its seasons. Raises ``Series.DoesNotExist``.
    """
    series = Series.objects.select_for_update(no_key=True).get(pk=series_id)
    last = last_season_of(series)
    if last is None:
        raise Series.DoesNotExist
    return series, last


def _check_teams(series: Series, season: Competition) -> None:
    """Raise ``InvalidSeries`` for what seasons of teams cannot have: their captains enter them in each."""
    faults: dict[str, list[str]] = {}
    if season.boards is not None and series.carry_over != NOBODY:
        faults["carry_over"] = [_("Teams have to join each season again: no players are carried over.")]
    if season.boards is not None and series.year_final:
        faults["year_final"] = [_("There is no final of the year for teams.")]
    if faults:
        raise InvalidSeries(next(iter(faults.values()))[0], fields=faults)


def _check_anchor(options: Mapping[str, Any], now: datetime) -> None:
    """Raise ``InvalidSeries`` for a first date that lies too far ahead."""
    anchor = options.get("anchor")
    if anchor is not None and anchor > now + MAX_START_AHEAD:
        sentence = _("Choose a first date that is at most ten years ahead.")
        raise InvalidSeries(sentence, fields={"anchor": [sentence]})


def _apply(series: Series, options: Mapping[str, Any], now: datetime) -> None:
    """Give a series these options. Raises ``InvalidSeries``."""
    _check_anchor(options, now)
    faults: dict[str, list[str]] = {}
    before = series.name
    for name in set(options).intersection(SERIES_OPTIONS):
        setattr(series, name, options[name])
    try:
        if series.name != before:
            series.name = clean_name(series.name)
        series.clean_fields(exclude={"slug", "created_at", "ended_at"})
        series.days = write_days(read_days(series.days))
    except InvalidDetails as error:
        faults |= error.fields
    except ValidationError as error:
        faults = {name: list(sentences) for name, sentences in error.message_dict.items()}
    except (TypeError, ValueError):
        faults["days"] = [_("Write each day as month and day, such as 05-01.")]
    if series.rhythm == Rhythm.DATES and not series.days:
        faults.setdefault("days", [_("Name at least one day of the year, such as 05-01.")])
    if isinstance(series.days, list) and len(series.days) > MAX_DAYS:
        faults.setdefault("days", [_("Name at most %(most)d days.") % {"most": MAX_DAYS}])
    if series.carry_over not in CARRY_OVERS:
        faults["carry_over"] = [_("Choose one of %(choices)s.") % {"choices": ", ".join(CARRY_OVERS)}]
    if series.overlap and series.rhythm == Rhythm.AFTER_END:
        faults["overlap"] = [_("A season that starts after the previous one has ended cannot overlap with it.")]
    elif series.overlap and series.carry_over == PROMOTION:
        faults["overlap"] = [_("Promotion depends on the result of the previous season, so seasons cannot overlap.")]
    if faults:
        raise InvalidSeries(next(iter(faults.values()))[0], fields=faults)
