"""Views that read what their operation describes; other parameters and members are refused with the nearest name."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache
from http import HTTPStatus
from typing import Any, TypeVar, cast

from django.db.models import Model
from django.utils.text import format_lazy
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from drf_spectacular.openapi import AutoSchema
from drf_spectacular.plumbing import force_instance
from drf_spectacular.utils import OpenApiParameter, PolymorphicProxySerializer
from rest_framework.exceptions import ValidationError
from rest_framework.generics import GenericAPIView
from rest_framework.pagination import CursorPagination
from rest_framework.permissions import SAFE_METHODS
from rest_framework.request import Request
from rest_framework.serializers import BaseSerializer, ChoiceField, ListField, Serializer
from rest_framework.views import APIView

MAX_NAMED = 5
"""The most unknown names that a refusal lists: a body may have very many."""

MAX_NAME_LENGTH = 40

NO_CHOICE = gettext_lazy("“{input}” is not one of these: {choices}.")

ModelT = TypeVar("ModelT", bound=Model)

Names = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Accepted:
    """The parameters and members of an operation.

    ``parameters`` are the names in the query, with whether each may come several times. ``bodies`` are the members that
    the body may have, one mapping for each of its schemas: a member's value is the mapping of an object in it, or
    ``None``. Without any the operation takes no body. ``query`` and ``body`` are the serializers of both, where there
    is one. ``blank`` are the parameters that may be empty.
    """

    parameters: Mapping[str, bool]
    blank: frozenset[str]
    bodies: tuple[Names, ...]
    query: type[Serializer[Any]] | None
    body: type[Serializer[Any]] | None


class StrictView(APIView):
    """A view of the API: it reads what ``extend_schema`` describes of an operation, and refuses what it does not."""

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """Authenticate and throttle, then check the names of parameters and members; raises ``ValidationError``."""
        super().initial(request, *args, **kwargs)
        accepted = accepted_by(type(self), str(request.method))  # type: ignore[arg-type] # a class is hashable
        if accepted is None:
            return
        if request.META.get("QUERY_STRING"):
            _refuse_parameters(request, accepted)
        if request.method not in SAFE_METHODS:
            _refuse_unknown_members(request.data, accepted.bodies)

    def read_body(self) -> dict[str, Any]:
        """Return the body as the serializer of the operation's request validates it. Raises ``ValidationError``."""
        return read(cast("type[Serializer[Any]]", self._accepted.body), self.request.data)

    def read_query(self) -> dict[str, Any]:
        """Return the parameters as the serializer of the operation's query validates them, with the same error."""
        return read(cast("type[Serializer[Any]]", self._accepted.query), self.request.query_params)

    @property
    def _accepted(self) -> Accepted:
        """Return what the operation of this request accepts."""
        return cast("Accepted", accepted_by(type(self), str(self.request.method)))  # type: ignore[arg-type]


class RefusableView(StrictView):
    """A view whose acts the state of things may refuse, by 409."""

    refusals = (HTTPStatus.CONFLICT,)


class StrictListView(StrictView, GenericAPIView[ModelT]):
    """A view of the API that lists rows by pages."""


def read(serializer: type[Serializer[Any]], data: Mapping[str, Any]) -> dict[str, Any]:
    """Return the validated data, which callers must not change. Raises ``ValidationError``."""
    if data is None:
        raise ValidationError({"non_field_errors": [_("No data provided")]})
    return dict(_shape(serializer).run_validation(data))


@cache
def _shape(serializer: type[Serializer[Any]]) -> Serializer[Any]:
    """Return the one instance of a serializer class, because making one costs more than validating with it."""
    shape = serializer()
    _name_choices(shape)
    return shape


def _name_choices(field: Any) -> None:
    """Let the refusals of a field, and of those in it, name what it can be."""
    if isinstance(field, ChoiceField):
        choices = ", ".join(str(choice) for choice in field.choices)
        field.error_messages["invalid_choice"] = format_lazy(NO_CHOICE, input="{input}", choices=choices)
    for each in (*getattr(field, "fields", {}).values(), *filter(None, [getattr(field, "child", None)])):
        _name_choices(each)


@cache
def accepted_by(view_class: type, method: str) -> Accepted | None:
    """Return what a view's method accepts by its description; ``None`` if the view has no such method."""
    handler = getattr(view_class, "get" if method == "HEAD" else method.lower(), None)
    # drf-spectacular stores the arguments of extend_schema here.
    described = getattr(handler, "kwargs", {}).get("schema")
    if described is None:
        return None
    schema: AutoSchema = described()
    schema.view = view_class(request=None, kwargs={})
    schema.method = method
    is_read = method in SAFE_METHODS
    body = None if is_read or method == "DELETE" else schema.get_request_serializer()
    queries = [each for each in schema.get_override_parameters() if isinstance(each, type)]
    return Accepted(
        parameters=_parameters_of(schema, is_read=is_read),
        blank=frozenset(_may_be_empty(queries)),
        bodies=tuple(_bodies_of(body)),
        query=next(iter(queries), None),
        body=body if isinstance(body, type) else None,
    )


def _parameters_of(schema: AutoSchema, *, is_read: bool) -> dict[str, bool]:
    names: dict[str, bool] = {}
    for each in schema.get_override_parameters():
        if not isinstance(each, OpenApiParameter):
            fields = force_instance(each).fields
            names |= {name: isinstance(field, ListField) for name, field in fields.items()}
        elif each.location == OpenApiParameter.QUERY:
            names[each.name] = bool(each.many)
    paginate = getattr(schema.view, "pagination_class", None)
    if is_read and paginate is not None:
        names |= {each["name"]: False for each in paginate().get_schema_operation_parameters(schema.view)}
    return names


def _bodies_of(described: Any) -> Iterable[Names]:
    if described is None:
        return
    serializer = force_instance(described)
    if isinstance(serializer, PolymorphicProxySerializer):
        for each in serializer.serializers:
            yield from _bodies_of(each)
    else:
        yield _members_of(serializer)


def _members_of(serializer: Any) -> Names:
    fields = {name: field for name, field in serializer.fields.items() if not field.read_only}
    return {
        name: _members_of(field) if isinstance(field, BaseSerializer) and hasattr(field, "fields") else None
        for name, field in fields.items()
    }


def _may_be_empty(queries: Iterable[type[Serializer[Any]]]) -> Iterable[str]:
    yield CursorPagination.cursor_query_param
    for each in queries:
        yield from (name for name, field in each().fields.items() if getattr(field, "allow_blank", False))


def _refuse_parameters(request: Request, accepted: Accepted) -> None:
    """Refuse what is not known, comes twice, or is empty: serializers would take an empty one for none."""
    given, known = request.query_params, accepted.parameters
    unknown = [name for name in given if name not in known]
    repeated = [name for name in given if not known.get(name, True) and len(given.getlist(name)) > 1]
    empty = [name for name in given if name in known.keys() - accepted.blank and "" in given.getlist(name)]
    if unknown or repeated or empty:
        raise ValidationError(
            {_shorten(name): [_suggest_parameter(name, known)] for name in unknown[:MAX_NAMED]}
            | {name: [_("Give “%(name)s” a value, or leave it out.") % {"name": name}] for name in empty}
            | {name: [_("Give “%(name)s” only once.") % {"name": name}] for name in repeated}
        )


def _refuse_unknown_members(body: Any, bodies: Collection[Names]) -> None:
    if isinstance(body, Mapping):
        choices: Collection[Names] = bodies or ({},)
        known = min(choices, key=lambda names: len(body.keys() - names.keys()))
        errors = _unknown_members(body, known, {name for names in choices for name in names})
        if errors:
            raise ValidationError(errors)
    elif body is not None and not bodies:
        raise ValidationError({"non_field_errors": [_("This operation takes no body.")]})


def _unknown_members(body: Mapping[str, Any], known: Names, somewhere: Collection[str]) -> dict[str, Any]:
    """Return sentences about members that are not known; ``somewhere`` are those that other bodies have, too."""
    unknown = [name for name in body if name not in known]
    errors: dict[str, Any] = {_shorten(name): [_suggest_member(name, somewhere)] for name in unknown[:MAX_NAMED]}
    for name, names in known.items():
        inner = body.get(name)
        if names is not None and isinstance(inner, Mapping):
            found = _unknown_members(inner, names, names)
            errors |= {name: found} if found else {}
    return errors


def _suggest_parameter(name: str, known: Collection[str]) -> str:
    if not known:
        return _("There is no parameter “%(name)s”: this URL takes none.") % {"name": _shorten(name)}
    return _("There is no parameter “%(name)s”.") % {"name": _shorten(name)} + " " + _suggest(name, known)


def _suggest_member(name: str, known: Collection[str]) -> str:
    if not known:
        return _("There is no member “%(name)s”: this operation takes none.") % {"name": _shorten(name)}
    if name in known:
        return _("“%(name)s” cannot be sent together with the other members.") % {"name": name}
    return _("There is no member “%(name)s”.") % {"name": _shorten(name)} + " " + _suggest(name, known)


def _suggest(name: str, known: Collection[str]) -> str:
    nearest = get_close_matches(_shorten(name).lower(), known, n=1)
    if nearest:
        return _("Did you mean “%(name)s”?") % {"name": nearest[0]}
    return _("You can use: %(names)s.") % {"names": ", ".join(sorted(known))}


def _shorten(name: str) -> str:
    return name if len(name) <= MAX_NAME_LENGTH else f"{name[: MAX_NAME_LENGTH - 1]}…"
