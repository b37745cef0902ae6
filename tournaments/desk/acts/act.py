"""The parts of an organisers' act."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, cast

from django.utils.functional import Promise
from rest_framework.serializers import Field, IntegerField, ListField, Serializer

from players.forms import RefusableForm
from players.models import Player
from tournaments.models import Competition, CompetitionKind, Interest
from tournaments.models.rights import Right
from tournaments.office.inputs import Input
from tournaments.office.selectors.interests import Stake
from tournaments.rounds.services.consequences import Consequences

Text = str | Promise
MAX_NUMBER = 2**63 - 1


@dataclass(frozen=True, slots=True)
class Answer:
    """The response of the API: a TypedDict, and the function that makes it.

    ``to_json`` is called with the competition, what the act was done to, and what the service returned.
    """

    schema: Any
    to_json: Callable[[Any, Any, Any], Mapping[str, Any]]


@dataclass(frozen=True, slots=True)
class Kind:
    """The kind of thing that an act is done to.

    ``path`` is the part of the URLs that all of this kind have in common, and ``number`` in it what the API calls the
    number of one; ``number_of`` returns that number, ``find`` takes it, and ``find_all`` several. ``name_of`` is what
    pages call one; below the organisers' page, ``page_of`` is where it is shown, and ``back_of`` where an act on it
    leads back to. ``keyword`` is how services call what ``argument`` makes of one. ``is_open`` says of a competition
    whether anything can be done to what is in it. Acts are offered to those with the right that the kind ``needs``: the
    one that services check for it. What decides for or against players ``is_judging``: pages, previews and log say so
    to those who play, too. Of what ``is_in_group``, ``find`` takes the ``stage`` and the
    ``group`` too, and ``group_path_of`` returns the part of the URLs that names these, empty where there is only one.
    """

    name: str
    path: str
    number: str
    find: Callable[..., Any]
    number_of: Callable[[Any], int]
    name_of: Callable[[Any], str]
    page_of: Callable[[Any], str]
    keyword: str
    argument: Callable[[Any], Any]
    is_open: Callable[[Competition], bool]
    answer: Answer
    find_all: Callable[[Competition, Sequence[int]], Sequence[Any]] = lambda _competition, _numbers: ()
    needs: Right = Right.ORGANISE
    is_judging: bool = False
    is_in_group: bool = False
    group_path_of: Callable[[Any], str] = lambda _subject: ""
    back_of: Callable[[Any], str] = lambda _subject: ""


class ActForm(RefusableForm):
    """Asks for an act's inputs; ``subject`` is what it is done to."""

    def __init__(self, data: Any = None, *, subject: Any = None) -> None:
        super().__init__(data)
        for each in self.fields.values():
            if isinstance(each, Input):
                each.fit(subject)

    def clean(self) -> dict[str, Any]:
        """Let fields have the choices that depend on the others."""
        values = super().clean() or self.cleaned_data
        for each in self.fields.values():
            if isinstance(each, Input):
                each.choose(values)
        return values


@dataclass(frozen=True, slots=True)
class Bulk:
    """The way in which an act is done to several at once.

    ``operation`` is what the API's description calls it. ``inputs`` are asked for once. ``service`` does it to each,
    the act's own if there is no other. ``tell`` says of each what it means, before.
    """

    operation: str
    inputs: Mapping[str, Input]
    service: Callable[..., Any] | None = None
    tell: Callable[[Any, datetime], str] = lambda _subject, _now: ""


@dataclass(frozen=True, slots=True)
class Act:
    """One thing that an organiser does.

    ``name`` is the last part of its URLs, and ``operation`` what the API's description calls it. Pages show the
    ``title`` on buttons, and under it the ``question``, which says what will follow, and ``in_cups`` what else will
    there; ``done`` is what they say then, or makes it of what the service returned.
    ``service`` does it. It takes what the act is done to, the ``inputs`` by name, ``actor`` and ``now``, and alone
    decides whether it may be done: ``suits`` only says whether an act is offered.

    ``inverse`` is the operation of the act that takes it back; where there is none, ``final`` says why, and is said
    with the question.

    ``what_follows`` takes the same thing, and returns what would follow if it were done now, to be read before; what
    the question says besides is ``foreseen``, if it says much of the same. Where it depends on what is entered, it also
    takes the inputs that ``foreseen_by`` names: pages show it once these are sent, and the act is done when the same
    are sent again. What ``is_foreseen_at_once`` follows from what the form proposes, or from no inputs at all.

    ``is_next`` is what an organiser mostly wants to do; ``is_grave`` has consequences for others at once. ``when`` says
    of a competition whether the act is offered in it, where that is not what the kind says. ``answer`` is the kind's
    unless the act has its own; ``api_path`` and ``api_method`` are for what is a resource in the API. ``bulk``
    says how it is done to several at once, ``None`` for what is done to one alone.
    """

    name: str
    operation: str
    on: Kind
    title: Text
    question: Text
    done: Text | Callable[[Any], Text]
    service: Callable[..., Any]
    inverse: str = ""
    final: Text = ""
    in_cups: Text = ""
    foreseen: Text | None = None
    inputs: Mapping[str, Input] = field(default_factory=dict)
    suits: Callable[[Any], bool] = lambda _subject: True
    own_answer: Answer | None = None
    what_follows: Callable[..., Consequences] | None = None
    foreseen_by: tuple[str, ...] = ()
    is_foreseen_at_once: bool = False
    when: Callable[[Competition], bool] | None = None
    is_grave: bool = False
    is_next: bool = False
    api_path: str = ""
    api_method: str = "post"
    bulk: Bulk | None = None

    @property
    def answer(self) -> Answer:
        """Return the API's response."""
        return self.own_answer or self.on.answer

    @property
    def form(self) -> type[ActForm]:
        """Return the form that asks for the inputs."""
        return _make_form(self.inputs)

    @property
    def bulk_form(self) -> type[ActForm]:
        """Return the form that asks for the inputs of the act on several at once."""
        return _make_form(self.bulk.inputs if self.bulk else {})

    @property
    def serializer(self) -> type[Serializer[Any]] | None:
        """Return the serializer of the API's body; ``None`` for acts without inputs."""
        return self._make_serializer(self.operation, _api_fields(self.inputs)) if self.inputs else None

    @property
    def bulk_serializer(self) -> type[Serializer[Any]]:
        """Return the serializer of the API's body for several at once; the kind's path names the list of them."""
        if self.bulk is None:
            raise TypeError(f"{self.operation} is done to one at a time.")
        numbers = ListField(child=IntegerField(min_value=1, max_value=MAX_NUMBER), allow_empty=False)
        return self._make_serializer(self.bulk.operation, {self.on.path: numbers, **_api_fields(self.bulk.inputs)})

    def _make_serializer(self, operation: str, fields: Mapping[str, Field]) -> type[Serializer[Any]]:
        name = "".join(map(str.capitalize, operation.split("_")))
        made = type(f"{name}Serializer", (Serializer,), {**fields, "__doc__": str(self.title)})
        return cast("type[Serializer[Any]]", made)

    def ask(self, competition: Competition | None = None) -> str:
        """Return the question as it is asked in a competition, with what is true of cups alone unless that is none."""
        in_cups = "" if competition and competition.kind != CompetitionKind.CUP else self.in_cups
        parts = [self.question, in_cups, self.final]
        return " ".join(str(part) for part in parts if part)

    def ask_besides(self, follows: Consequences | None, competition: Competition) -> str:
        """Return the question as it is asked above what follows, empty where that says it all."""
        return self.ask(competition) if follows is None or self.foreseen is None else str(self.foreseen)

    def is_offered(self, competition: Competition, subject: Any, rights: frozenset[Right]) -> bool:
        """Return whether the pages offer the act on what it is done to, to who has these rights to it."""
        return self.on.needs in rights and (self.when or self.on.is_open)(competition) and self.suits(subject)

    def url(self, competition: Competition, subject: Any) -> str:
        """Return the page that asks whether to do it."""
        path = f"{self.on.group_path_of(subject)}{self.path_of(self.on.number_of(subject))}"
        return f"{competition.get_desk_url()}{path}{self.name}/"

    def path_of(self, number: int | str) -> str:
        """Return the part of its URLs before the name; ``number`` is that of what the act is done to."""
        return f"{self.on.path}/{number}/" if self.on.path else ""

    def foresee(self, subject: Any, now: datetime, values: Mapping[str, Any] | None = None) -> Consequences | None:
        """Return what would follow from it now, ``None`` where only its question says so. Raises ``DomainError``.

        ``None`` too where that depends on values, and none are given.
        """
        waits_for_values = self.foreseen_by and not self.is_foreseen_at_once
        if self.what_follows is None or (waits_for_values and values is None):
            return None
        chosen = {name: values[name] for name in self.foreseen_by} if values else {}
        return self.what_follows(**{self.on.keyword: self.on.argument(subject)}, **chosen, now=now)

    @property
    def preview_serializer(self) -> type[Serializer[Any]] | None:
        """Return the serializer of the query of the API's preview; ``None`` where nothing is asked."""
        asked = {name: each for name, each in self.inputs.items() if name in self.foreseen_by}
        return self._make_serializer(f"preview_{self.operation}", _api_fields(asked)) if asked else None

    @property
    def is_foreseen(self) -> bool:
        """Return whether there is something to read before it is done: what follows, or one's own interest."""
        return self.what_follows is not None or self.on.is_judging

    def interest_in(self, subject: Any, stake: Stake) -> Interest:
        """Return the interest that somebody with this stake in the competition has in the act, if it is judging."""
        return stake.interest_in(subject) if self.on.is_judging else Interest.NONE

    def say_done(self, result: Any) -> str:
        """Return what pages say after the act; ``result`` is what the service returned."""
        return str(self.done(result) if callable(self.done) else self.done)

    def perform(
        self,
        subject: Any,
        values: Mapping[str, Any],
        actor: Player,
        now: datetime,
        *,
        service: Callable[..., Any] | None = None,
    ) -> Any:
        """Return what the service does, or another one in its place. Raises the service's ``DomainError``."""
        return (service or self.service)(**{self.on.keyword: self.on.argument(subject)}, **values, actor=actor, now=now)


def _make_form(inputs: Mapping[str, Input]) -> type[ActForm]:
    return cast("type[ActForm]", type("ActForm", (ActForm,), dict(inputs)))


def _api_fields(inputs: Mapping[str, Input]) -> dict[str, Field]:
    return {
        each.api_name or name: each.api_field(**({"source": name} if each.api_name else {}))
        for name, each in inputs.items()
    }
