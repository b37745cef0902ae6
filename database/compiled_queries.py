"""Queries and updates that are compiled once: for every move, compiling would cost more than running them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Generic, Self, TypeVar, cast

from django.db import DEFAULT_DB_ALIAS, connection, connections
from django.db.backends.utils import CursorWrapper
from django.db.models import Field, Model, QuerySet
from django.db.models.expressions import Combinable, RawSQL
from django.db.models.sql import UpdateQuery
from django.db.transaction import TransactionManagementError

from database.replica import read_alias

M = TypeVar("M", bound=Model)


@dataclass(frozen=True, slots=True)
class Given:
    """A placeholder in compiled SQL for the value with this name."""

    name: str


@dataclass(frozen=True, slots=True)
class Part:
    """The columns of a row that make an object of a model, and the objects that are fetched with it.

    ``key`` is the column of these by which there is an object at all. ``attach`` makes it known to the object that it
    is fetched with, and ``attach_back`` that one to it.
    """

    model: type[Model]
    columns: slice
    names: list[str]
    key: int
    related: tuple[Self, ...]
    attach: Callable[[Model, Model | None], None]
    attach_back: Callable[[Model, Model], None]

    @classmethod
    def of(cls, info: dict[str, Any], columns: list[Any]) -> Self:
        """Return a part as Django's compiler describes it."""
        selected = info["select_fields"]
        chosen = slice(selected[0], selected[-1] + 1)
        names = [column.target.attname for column in columns[chosen]]
        return cls(
            info["model"],
            chosen,
            names,
            # Of a key of several columns each has a value, or none.
            names.index(info["model"]._meta.pk_fields[0].attname),  # noqa: SLF001 - Django's own
            tuple(cls.of(each, columns) for each in info.get("related_klass_infos", ())),
            info.get("local_setter", _attach_nothing),
            info.get("remote_setter", _attach_nothing),
        )

    def build(self, row: tuple[Any, ...], alias: str) -> Model | None:
        """Return the object of a row of this database, ``None`` where a join has found none."""
        values = row[self.columns]
        if values[self.key] is None:
            return None
        built = self.model.from_db(alias, self.names, values)
        for part in self.related:
            other = part.build(row, alias)
            part.attach(built, other)
            if other is not None:
                part.attach_back(other, built)
        return built


def _attach_nothing(_one: Model, _other: Model | None) -> None:
    """Do nothing: what a query returns is attached to no other object."""


@dataclass(frozen=True, slots=True)
class Compiled:
    """A compiled query: its SQL, and how its rows are read.

    ``parameters`` are values and ``Given``s. ``converters`` say by column what the database's values become.
    ``whole`` is the object that is found; a query of values has none. ``annotations`` say by name in which columns
    stands what was computed for the object. What ``is_to_change``, since the query locks it, is read from the primary.
    """

    sql: str
    parameters: tuple[Any, ...]
    converters: dict[int, tuple[list[Callable[[Any, Any, Any], Any]], Any]]
    whole: Part | None
    annotations: dict[str, int]
    is_prepared: bool
    is_to_change: bool

    @property
    def alias(self) -> str:
        """Return the alias of the database that is asked now."""
        return DEFAULT_DB_ALIAS if self.is_to_change else read_alias()

    def ask(self, given: dict[str, Any]) -> list[tuple[Any, ...]]:
        """Return the rows; raises ``TransactionManagementError`` as Django does where their lock would be let go."""
        asked = connections[self.alias]
        if self.is_to_change and asked.features.has_select_for_update and asked.get_autocommit():
            raise TransactionManagementError("Rows are locked within a transaction.")
        cursor = prepared_cursor(self.alias) if self.is_prepared else asked.cursor()
        cursor.execute(self.sql, _fill_in(self.parameters, given))
        rows: list[tuple[Any, ...]] = cursor.fetchall()
        if not self.is_prepared:
            cursor.close()
        return [self._convert(row) for row in rows] if self.converters else rows

    def build(self, row: tuple[Any, ...]) -> Model:
        """Return the object of a row, with its related objects."""
        built = cast("Model", cast("Part", self.whole).build(row, self.alias))
        for name, column in self.annotations.items():
            setattr(built, name, row[column])
        return built

    def _convert(self, row: tuple[Any, ...]) -> tuple[Any, ...]:
        values = list(row)
        for column, (functions, expression) in self.converters.items():
            for function in functions:
                values[column] = function(values[column], expression, connection)
        return tuple(values)


def prepared_cursor(alias: str = DEFAULT_DB_ALIAS) -> CursorWrapper:
    """Return a cursor for a statement that is sent often, so that PostgreSQL prepares it; by default to the primary.

    Fetch all rows before you use the cursor again, and do not close it.
    """
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
        compiled = self._compile(given)
        rows = compiled.ask(given)
        return cast("M", compiled.build(rows[0])) if rows else None

    def all(self, **given: Any) -> list[M]:
        """Return all objects of the query."""
        compiled = self._compile(given)
        return [cast("M", compiled.build(row)) for row in compiled.ask(given)]

    def rows(self, **given: Any) -> list[tuple[Any, ...]]:
        """Return the rows of a query with ``values_list``."""
        return self._compile(given).ask(given)

    def _compile(self, given: dict[str, Any]) -> Compiled:
        if self._compiled is None:
            queryset = self._query(**_placeholders(given))
            compiler = queryset.query.get_compiler(DEFAULT_DB_ALIAS)
            sql, parameters = compiler.as_sql()
            columns = [column for column, *_ in compiler.select]
            info = compiler.klass_info
            has_objects = info is not None and not queryset.query.values_select
            self._compiled = Compiled(
                sql,
                tuple(parameters),
                compiler.get_converters(columns),
                Part.of(info, columns) if has_objects else None,
                compiler.annotation_col_map,
                self._is_prepared,
                queryset.query.select_for_update,
            )
        return self._compiled


class CompiledUpdate(Generic[M]):
    """An update whose SQL is always the same: only its values differ, and none of them is ``None``.

    ``rows`` makes the queryset of the rows to be changed of these values; ``columns`` says which column gets which one,
    or what is computed of the row, in which ``given_value`` stands for a value.
    """

    def __init__(self, rows: Callable[..., QuerySet[M, Any]], **columns: str | Combinable) -> None:
        """Store how to build the update. It is compiled at its first run, when models are loaded."""
        self._rows = rows
        self._columns = columns
        self._compiled: tuple[str, tuple[Any, ...]] | None = None

    def run(self, **given: Any) -> int:
        """Change the rows in the primary database; return how many there were."""
        sql, parameters = self._compile(given)
        cursor = prepared_cursor()
        cursor.execute(sql, _fill_in(parameters, given))
        return cursor.rowcount

    def _compile(self, given: dict[str, Any]) -> tuple[str, tuple[Any, ...]]:
        if self._compiled is None:
            placeholders = _placeholders(given)
            update: Any = self._rows(**placeholders).query.chain(UpdateQuery)
            update.add_update_values(
                {
                    column: placeholders[each] if isinstance(each, str) else each
                    for column, each in self._columns.items()
                }
            )
            sql, parameters = update.get_compiler(DEFAULT_DB_ALIAS).as_sql()
            self._compiled = sql, tuple(parameters)
        return self._compiled


def given_value(name: str, type_: Field[Any, Any] | None = None) -> RawSQL:
    """Return what stands for the value with this name in a queryset that is compiled, or in what is computed."""
    return RawSQL("%s", [Given(name)], type_)


def _placeholders(given: dict[str, Any]) -> dict[str, RawSQL]:
    """Return what stands for values in a queryset that is compiled."""
    return {name: given_value(name) for name in given}


def _fill_in(parameters: tuple[Any, ...], given: dict[str, Any]) -> list[Any]:
    """Return the parameters with the values in their places; SQLite has moments as texts."""
    adapt = connection.ops.adapt_datetimefield_value
    values = {name: adapt(value) if isinstance(value, datetime) else value for name, value in given.items()}
    return [values[each.name] if isinstance(each, Given) else each for each in parameters]
