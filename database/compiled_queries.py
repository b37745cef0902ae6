"""Queries that are compiled once: for every move, compiling would cost more than running them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Generic, TypeVar, cast

from django.db import DEFAULT_DB_ALIAS, connection, connections
from django.db.backends.utils import CursorWrapper
from django.db.models import Model, QuerySet
from django.db.models.expressions import RawSQL
from django.db.models.query import get_related_populators  # type: ignore[attr-defined]
from django.db.models.sql import UpdateQuery
from django.db.transaction import TransactionManagementError

from database.replica import read_alias

M = TypeVar("M", bound=Model)


@dataclass(frozen=True, slots=True)
class Given:
    """A placeholder in compiled SQL for the value with this name."""

    name: str


@dataclass(frozen=True, slots=True)
class Compiled:
    """A compiled query: its SQL, its parameters, which are values and ``Given``s, and how its rows are read.

    ``converters`` say by column what the database's values become. ``select`` and ``info`` say, as Django's compiler
    does, which columns make an object and those joined to it; ``annotations``, which was computed for it; ``builders``
    are made of them for each database. What ``is_to_change``, since the query locks it, is read from the primary.
    """

    sql: str
    parameters: tuple[Any, ...]
    converters: dict[int, tuple[list[Callable[[Any, Any, Any], Any]], Any]]
    select: list[Any]
    info: dict[str, Any] | None
    annotations: dict[str, int]
    is_to_change: bool
    builders: dict[str, Builder] = field(default_factory=dict)

    @classmethod
    def of(cls, query: Any) -> Compiled:
        """Compile a queryset's query."""
        compiler = query.get_compiler(DEFAULT_DB_ALIAS)
        sql, parameters = compiler.as_sql()
        converters = compiler.get_converters([column for column, *_ in compiler.select])
        shape = compiler.select, compiler.klass_info, compiler.annotation_col_map
        return cls(sql, tuple(parameters), converters, *shape, query.select_for_update)

    @property
    def alias(self) -> str:
        """Return the alias of the database that is asked now."""
        return DEFAULT_DB_ALIAS if self.is_to_change else read_alias()

    def ask(self, given: dict[str, Any], *, is_prepared: bool) -> list[tuple[Any, ...]]:
        """Return the rows; raises ``TransactionManagementError`` as Django does where their lock would be let go."""
        asked = connections[self.alias]
        if self.is_to_change and asked.features.has_select_for_update and asked.get_autocommit():
            raise TransactionManagementError("Rows are locked within a transaction.")
        cursor = prepared_cursor(self.alias) if is_prepared else asked.cursor()
        cursor.execute(self.sql, _fill_in(self.parameters, given))
        rows: list[tuple[Any, ...]] = cursor.fetchall()
        return [self._convert(row) for row in rows] if self.converters else rows

    def build(self, rows: list[tuple[Any, ...]]) -> list[Model]:
        """Return the objects of rows, as Django's own querysets build them."""
        alias = self.alias
        if alias not in self.builders:
            self.builders[alias] = Builder.of(self, alias)
        return [self.builders[alias].build(row) for row in rows]

    def _convert(self, row: tuple[Any, ...]) -> tuple[Any, ...]:
        values = list(row)
        for column, (functions, expression) in self.converters.items():
            for function in functions:
                values[column] = function(values[column], expression, connection)
        return tuple(values)


@dataclass(frozen=True, slots=True)
class Builder:
    """What makes an object of a row of a database, with those that are joined to it and what was computed for it."""

    alias: str
    model: type[Model]
    columns: slice
    names: list[str]
    populators: list[Any]
    annotations: dict[str, int]

    @classmethod
    def of(cls, compiled: Compiled, alias: str) -> Builder:
        """Return what makes objects of a query's rows."""
        info = cast("dict[str, Any]", compiled.info)
        columns = slice(info["select_fields"][0], info["select_fields"][-1] + 1)
        names = [column.target.attname for column, *_ in compiled.select[columns]]
        populators = get_related_populators(info, compiled.select, alias)
        return cls(alias, info["model"], columns, names, populators, compiled.annotations)

    def build(self, row: tuple[Any, ...]) -> Model:
        """Return the object of a row, as Django's own querysets build it."""
        built = self.model.from_db(self.alias, self.names, row[self.columns])
        for populator in self.populators:
            populator.populate(row, built)
        for name, column in self.annotations.items():
            setattr(built, name, row[column])
        return built


def prepared_cursor(alias: str = DEFAULT_DB_ALIAS) -> CursorWrapper:
    """Return a cursor for a statement that is sent often, so that PostgreSQL prepares it; by default to the primary."""
    connected: Any = connections[alias]
    cursor = connected.prepared_cursor if connected.vendor == "postgresql" else connected.cursor
    return cast("CursorWrapper", cursor())


class CompiledQuery(Generic[M]):
    """A query whose SQL is always the same: only its values differ, and none of them is ``None``.

    ``query`` makes the queryset of these values; it is called once, with what stands for them. PostgreSQL prepares it,
    unless it is to be found by an index of some rows only: it may not know of a prepared statement that these are
    meant.
    """

    def __init__(self, query: Callable[..., QuerySet[M, Any]], *, is_prepared: bool = True) -> None:
        """Store how to build the query. It is compiled at its first run, when models are loaded."""
        self._query, self._is_prepared = query, is_prepared
        self._compiled: Compiled | None = None

    def find(self, **given: Any) -> M | None:
        """Return the first object of the query, or ``None``."""
        return next(iter(self.all(**given)), None)

    def all(self, **given: Any) -> list[M]:
        """Return all objects of the query."""
        rows = self.rows(**given)
        return cast("list[M]", cast("Compiled", self._compiled).build(rows)) if rows else []

    def rows(self, **given: Any) -> list[tuple[Any, ...]]:
        """Return the rows of a query with ``values_list``."""
        if self._compiled is None:
            self._compiled = Compiled.of(self._query(**_placeholders(given)).query)
        return self._compiled.ask(given, is_prepared=self._is_prepared)


class CompiledUpdate(Generic[M]):
    """An update whose SQL is always the same: only its values differ, and none of them is ``None``.

    ``rows`` makes the queryset of the rows to be changed of these values; ``columns`` names the value of each column.
    """

    def __init__(self, rows: Callable[..., QuerySet[M, Any]], **columns: str) -> None:
        """Store how to build the update. It is compiled at its first run, when models are loaded."""
        self._rows, self._columns = rows, columns
        self._compiled: tuple[str, tuple[Any, ...]] | None = None

    def run(self, **given: Any) -> None:
        """Change the rows in the primary database."""
        if self._compiled is None:
            placeholders = _placeholders(given)
            update: Any = self._rows(**placeholders).query.chain(UpdateQuery)
            update.add_update_values({column: placeholders[name] for column, name in self._columns.items()})
            self._compiled = update.get_compiler(DEFAULT_DB_ALIAS).as_sql()
        sql, parameters = self._compiled
        prepared_cursor().execute(sql, _fill_in(parameters, given))


def _placeholders(given: dict[str, Any]) -> dict[str, RawSQL]:
    """Return what stands for values in a queryset that is compiled."""
    return {name: RawSQL("%s", [Given(name)]) for name in given}


def _fill_in(parameters: tuple[Any, ...], given: dict[str, Any]) -> list[Any]:
    """Return the parameters with the values in their places; SQLite has moments as texts."""
    adapt = connection.ops.adapt_datetimefield_value
    values = {name: adapt(value) if isinstance(value, datetime) else value for name, value in given.items()}
    return [values[each.name] if isinstance(each, Given) else each for each in parameters]
