"""Refusals over HTTP: the one table of statuses, and problem details (RFC 9457) for every one of them.

No URL under ``/api/`` ever answers with a page: the middleware turns what the views' handler does not see (no such URL,
a body too large, a fault of ours) into a problem.
"""

import json
from collections.abc import Callable
from http import HTTPStatus
from typing import Any
from urllib.parse import unquote

from django.core.exceptions import BadRequest, PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.utils.translation import gettext as _
from django.views.defaults import bad_request
from rest_framework import exceptions
from rest_framework.response import Response

from web.errors import DomainError

CONTENT_TYPE = "application/problem+json"
API = "/api/"

STATUS_OF_CODE = {
    "account_closed": HTTPStatus.CONFLICT,
    "account_erased": HTTPStatus.CONFLICT,
    "account_needed": HTTPStatus.CONFLICT,
    "abort_not_possible": HTTPStatus.CONFLICT,
    "answer_not_possible": HTTPStatus.CONFLICT,
    "already_entered": HTTPStatus.CONFLICT,
    "already_member": HTTPStatus.CONFLICT,
    "already_waiting": HTTPStatus.CONFLICT,
    "check_in_not_open": HTTPStatus.CONFLICT,
    "already_signed_up": HTTPStatus.CONFLICT,
    "already_taken": HTTPStatus.CONFLICT,
    "body_timeout": HTTPStatus.REQUEST_TIMEOUT,
    "budget_spent": HTTPStatus.TOO_MANY_REQUESTS,
    "bye_had": HTTPStatus.CONFLICT,
    "byes_not_in_format": HTTPStatus.CONFLICT,
    "byes_not_offered": HTTPStatus.CONFLICT,
    "cannot_organise": HTTPStatus.CONFLICT,
    "captain_stays": HTTPStatus.CONFLICT,
    "challenge_refused": HTTPStatus.CONFLICT,
    "clock_full": HTTPStatus.CONFLICT,
    "options_changed": HTTPStatus.CONFLICT,
    "pairings_changed": HTTPStatus.CONFLICT,
    "cannot_swap": HTTPStatus.CONFLICT,
    "reason_missing": HTTPStatus.BAD_REQUEST,
    "entrants_not_asked": HTTPStatus.CONFLICT,
    "too_many_notes": HTTPStatus.CONFLICT,
    "not_taken_down": HTTPStatus.CONFLICT,
    "too_many_pinned": HTTPStatus.CONFLICT,
    "too_many_rows": HTTPStatus.BAD_REQUEST,
    "computers_not_admitted": HTTPStatus.FORBIDDEN,
    "dispute_refused": HTTPStatus.CONFLICT,
    "disqualified": HTTPStatus.FORBIDDEN,
    "ended_by_results": HTTPStatus.CONFLICT,
    "entry_closed": HTTPStatus.CONFLICT,
    "entry_over": HTTPStatus.CONFLICT,
    "entry_refused": HTTPStatus.CONFLICT,
    "computers_make_none": HTTPStatus.FORBIDDEN,
    "email_not_confirmed": HTTPStatus.FORBIDDEN,
    "guests_make_none": HTTPStatus.FORBIDDEN,
    "making_refused": HTTPStatus.FORBIDDEN,
    "no_finished_match": HTTPStatus.FORBIDDEN,
    "too_many_new_competitions": HTTPStatus.CONFLICT,
    "too_many_unfinished_competitions": HTTPStatus.CONFLICT,
    "competition_full": HTTPStatus.CONFLICT,
    "competition_not_paused": HTTPStatus.CONFLICT,
    "match_not_paused": HTTPStatus.CONFLICT,
    "competition_paused": HTTPStatus.CONFLICT,
    "guests_not_admitted": HTTPStatus.FORBIDDEN,
    "lookup_refused": HTTPStatus.FORBIDDEN,
    "idempotency_key_reused": HTTPStatus.UNPROCESSABLE_ENTITY,
    "illegal_move": HTTPStatus.UNPROCESSABLE_ENTITY,
    "invalid": HTTPStatus.BAD_REQUEST,
    "invalid_dates": HTTPStatus.BAD_REQUEST,
    "invalid_entry_list": HTTPStatus.UNPROCESSABLE_ENTITY,
    "invalid_idempotency_key": HTTPStatus.BAD_REQUEST,
    "invalid_link": HTTPStatus.NOT_FOUND,
    "invalid_notation": HTTPStatus.BAD_REQUEST,
    "invalid_rating_range": HTTPStatus.BAD_REQUEST,
    "invalid_round_date": HTTPStatus.BAD_REQUEST,
    "invalid_seeding": HTTPStatus.BAD_REQUEST,
    "invalid_stages": HTTPStatus.BAD_REQUEST,
    "invalid_time_control": HTTPStatus.BAD_REQUEST,
    "invitation_declined": HTTPStatus.CONFLICT,
    "invitation_over": HTTPStatus.CONFLICT,
    "match_not_over": HTTPStatus.CONFLICT,
    "match_over": HTTPStatus.CONFLICT,
    "last_organiser": HTTPStatus.CONFLICT,
    "last_season_running": HTTPStatus.CONFLICT,
    "series_refused": HTTPStatus.CONFLICT,
    "last_round_drawn": HTTPStatus.CONFLICT,
    "match_paused": HTTPStatus.CONFLICT,
    "matches_would_be_lost": HTTPStatus.CONFLICT,
    "no_bye_request": HTTPStatus.CONFLICT,
    "no_email_to_confirm": HTTPStatus.CONFLICT,
    "no_computer": HTTPStatus.BAD_REQUEST,
    "no_dispute": HTTPStatus.CONFLICT,
    "no_result": HTTPStatus.CONFLICT,
    "invalid_outage": HTTPStatus.BAD_REQUEST,
    "invalid_result": HTTPStatus.BAD_REQUEST,
    "no_vacation_left": HTTPStatus.CONFLICT,
    "nothing_to_take_back": HTTPStatus.CONFLICT,
    "not_a_member": HTTPStatus.CONFLICT,
    "not_an_organiser": HTTPStatus.FORBIDDEN,
    "not_invited": HTTPStatus.FORBIDDEN,
    "not_found": HTTPStatus.NOT_FOUND,
    "not_the_captain": HTTPStatus.FORBIDDEN,
    "not_disqualified": HTTPStatus.CONFLICT,
    "not_withdrawn": HTTPStatus.CONFLICT,
    "not_your_match": HTTPStatus.FORBIDDEN,
    "no_such_offer": HTTPStatus.CONFLICT,
    "offer_not_possible": HTTPStatus.CONFLICT,
    "not_your_seek": HTTPStatus.FORBIDDEN,
    "not_your_turn": HTTPStatus.CONFLICT,
    "own_seek": HTTPStatus.CONFLICT,
    "password_needed": HTTPStatus.FORBIDDEN,
    "passwords_busy": HTTPStatus.SERVICE_UNAVAILABLE,
    "places_free": HTTPStatus.CONFLICT,
    "rated_games_used_up": HTTPStatus.CONFLICT,
    "rating_out_of_limits": HTTPStatus.FORBIDDEN,
    "result_stands": HTTPStatus.CONFLICT,
    "round_drawn": HTTPStatus.CONFLICT,
    "seek_closed": HTTPStatus.CONFLICT,
    "stale_ply": HTTPStatus.CONFLICT,
    "streams_elsewhere": HTTPStatus.SERVICE_UNAVAILABLE,
    "line_up_closed": HTTPStatus.CONFLICT,
    "invalid_line_up": HTTPStatus.UNPROCESSABLE_ENTITY,
    "not_a_team": HTTPStatus.CONFLICT,
    "single_players_only": HTTPStatus.CONFLICT,
    "teams_only": HTTPStatus.CONFLICT,
    "team_plays": HTTPStatus.CONFLICT,
    "team_closed": HTTPStatus.CONFLICT,
    "team_full": HTTPStatus.CONFLICT,
    "team_name_taken": HTTPStatus.CONFLICT,
    "team_player_refused": HTTPStatus.CONFLICT,
    "tie_needs_result": HTTPStatus.CONFLICT,
    "too_few_entrants": HTTPStatus.CONFLICT,
    "too_many_entrants": HTTPStatus.CONFLICT,
    "too_large": HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
    "too_late": HTTPStatus.CONFLICT,
    "too_many_analyses": HTTPStatus.CONFLICT,
    "too_many_attempts": HTTPStatus.TOO_MANY_REQUESTS,
    "too_many_computer_matches": HTTPStatus.CONFLICT,
    "too_many_entry_invitations": HTTPStatus.CONFLICT,
    "too_many_invitations": HTTPStatus.CONFLICT,
    "too_many_organisers": HTTPStatus.CONFLICT,
    "too_many_plies": HTTPStatus.UNPROCESSABLE_ENTITY,
    "too_many_seeks": HTTPStatus.CONFLICT,
    "too_many_team_invitations": HTTPStatus.CONFLICT,
    "too_many_teams": HTTPStatus.CONFLICT,
    "too_many_streams": HTTPStatus.TOO_MANY_REQUESTS,
    "too_many_tokens": HTTPStatus.CONFLICT,
    "turn_over": HTTPStatus.UNPROCESSABLE_ENTITY,
    "unknown_game": HTTPStatus.BAD_REQUEST,
    "unknown_player": HTTPStatus.BAD_REQUEST,
    "vacation_has_begun": HTTPStatus.CONFLICT,
    "wrong_credentials": HTTPStatus.FORBIDDEN,
    "wrong_competition_password": HTTPStatus.FORBIDDEN,
    "wrong_competition_status": HTTPStatus.CONFLICT,
}

# Refusals by the framework, before a view is called; its own codes are kept where it has them.
CODE_OF_STATUS = {
    HTTPStatus.BAD_REQUEST: "bad_request",
    HTTPStatus.FORBIDDEN: "permission_denied",
    HTTPStatus.NOT_FOUND: "not_found",
    HTTPStatus.METHOD_NOT_ALLOWED: "method_not_allowed",
    HTTPStatus.REQUEST_ENTITY_TOO_LARGE: "too_large",
    HTTPStatus.INTERNAL_SERVER_ERROR: "server_error",
    HTTPStatus.SERVICE_UNAVAILABLE: "service_unavailable",
}

CODES = frozenset(
    {
        *STATUS_OF_CODE,
        *CODE_OF_STATUS.values(),
        "authentication_failed",
        "not_acceptable",
        "not_authenticated",
        "parse_error",
        "throttled",
        "unsupported_media_type",
    }
)
"""Every code that a problem may have."""


def problem(*, status: int, code: str, detail: str, **more: Any) -> dict[str, Any]:
    """Return the members of a problem. ``more`` are extensions; empty ones are left out."""
    members: dict[str, Any] = {
        "type": "about:blank",
        "title": HTTPStatus(status).phrase,
        "status": int(status),
        "detail": detail,
        "code": code,
    }
    return members | {name: value for name, value in more.items() if value or value == 0}


def describe_refusal(error: DomainError) -> dict[str, Any]:
    """Return the problem for a service's refusal."""
    return problem(
        status=STATUS_OF_CODE[error.code],
        code=error.code,
        detail=str(error),
        rule=getattr(error, "rule", ""),
        preset=getattr(error, "preset", ""),
        reason=getattr(error, "reason_code", ""),
        parameters=getattr(error, "parameters", {}),
        ply=getattr(error, "ply", None),
        obstacle=getattr(error, "obstacle", ""),
        matches=getattr(error, "matches", []),
        errors=error.fields,
    )


def handle_exception(error: Exception, context: dict[str, Any]) -> Response | None:
    """Return the problem for a view's refusal; ``None`` for an error of ours. Named in REST_FRAMEWORK."""
    if isinstance(error, DomainError):
        return _respond(describe_refusal(error), wait=error.wait)
    if isinstance(error, Http404):
        error = exceptions.NotFound(*error.args)
    elif isinstance(error, PermissionDenied):
        error = exceptions.PermissionDenied(*error.args)
    if not isinstance(error, exceptions.APIException):
        return None
    if isinstance(error, exceptions.ValidationError):
        members = _describe_invalid(error)
    else:
        codes = error.get_codes()
        code = codes if isinstance(codes, str) else error.default_code
        members = problem(status=error.status_code, code=code, detail=str(error.detail))
    return _respond(members, wait=getattr(error, "wait", None), challenge=getattr(error, "auth_header", None))


class ProblemsMiddleware:
    """Turns every refusal under ``/api/`` into a problem, and refuses null characters everywhere."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        """Wrap the rest of the site."""
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Return the site's response, or a problem in its place."""
        api = request.path_info.startswith(API)
        if "\0" in request.path_info or "\0" in unquote(request.META.get("QUERY_STRING", "")):
            # PostgreSQL fails to compare with such a text.
            response: HttpResponseBase = bad_request(request, BadRequest("null character"))
        else:
            response = self.get_response(request)
        if api and response.status_code >= 400 and response.get("Content-Type") != CONTENT_TYPE:
            return _as_problem(response)
        return response


def _describe_invalid(error: exceptions.ValidationError) -> dict[str, Any]:
    detail = error.detail
    fields = detail if isinstance(detail, dict) else {"non_field_errors": detail}
    return problem(status=error.status_code, code="invalid", detail=_first_sentence(fields), errors=fields)


def _first_sentence(detail: Any) -> str:
    while not isinstance(detail, str):
        values = list(detail.values() if isinstance(detail, dict) else detail)
        detail = next((value for value in values if value), "")
    return str(detail)


def _respond(members: dict[str, Any], *, wait: float | None = None, challenge: str | None = None) -> Response:
    headers = {}
    if wait is not None:
        headers["Retry-After"] = str(max(1, round(wait)))
    if challenge is not None:
        headers["WWW-Authenticate"] = challenge
    return Response(members, status=members["status"], headers=headers, content_type=CONTENT_TYPE)


def _as_problem(response: HttpResponseBase) -> HttpResponse:
    status = HTTPStatus(response.status_code)
    sentences = {
        HTTPStatus.NOT_FOUND: _("There is nothing at this URL."),
        HTTPStatus.INTERNAL_SERVER_ERROR: _("Something went wrong on our side. The error has been logged."),
        HTTPStatus.SERVICE_UNAVAILABLE: _(
            "The site will be back in a moment. Send the request again in a few seconds."
        ),
    }
    code = CODE_OF_STATUS.get(status, "bad_request" if status < HTTPStatus.INTERNAL_SERVER_ERROR else "server_error")
    members = problem(status=status, code=code, detail=sentences.get(status, f"{status.description or status.phrase}."))
    answer = HttpResponse(json.dumps(members), status=status, content_type=CONTENT_TYPE)
    for name in ("Allow", "Cache-Control", "Retry-After", "Vary"):
        if name in response.headers:
            answer[name] = response.headers[name]
    return answer
