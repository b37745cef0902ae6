"""The API description's text about the whole API, and the names of its enumerations."""

from __future__ import annotations

from typing import Any

DESCRIPTION: dict[str, Any] = {
    "OAS_VERSION": "3.1.0",
    "TITLE": "Kickabout",
    "DESCRIPTION": "Soccer board games by turns: matches with dice that nobody can doubt.",
    "VERSION": "0.2.0",
    "LICENSE": {"name": "MIT", "identifier": "MIT"},
    "SERVERS": [{"url": "/", "description": "This site"}],
    "TAGS": [
        {"name": "competitions", "description": "Ladders and cups: who plays in them, their tables, and running them."},
        {"name": "games", "description": "What can be played."},
        {"name": "guests", "description": "Playing without an account."},
        {"name": "invitations", "description": "Competitions whose organisers ask you to enter."},
        {"name": "matches", "description": "Playing matches, following them, and reading their records."},
        {"name": "password-resets", "description": "Passwords that were forgotten."},
        {"name": "players", "description": "Accounts, and what everybody may know about players."},
        {"name": "ratings", "description": "Rating lists."},
        {"name": "replays", "description": "Matches that were played elsewhere."},
        {"name": "seeks", "description": "Looking for opponents, and inviting them."},
        {"name": "stream", "description": "Following what concerns you, as it happens."},
        {"name": "tokens", "description": "What programs act with for a player."},
        {"name": "vacation", "description": "Days on which clocks get more time."},
    ],
    "SCHEMA_PATH_PREFIX": "/api/v1/",
    "SERVE_INCLUDE_SCHEMA": False,
    "COMPONENT_SPLIT_REQUEST": True,
    "ENUM_NAME_OVERRIDES": {
        "Actor": ["yellow", "red", "chance"],
        "AnalysisStatus": ["waiting", "running", "done", "failed"],
        "Colour": ["yellow", "red", "random"],
        "CompetitionKind": ["ladder", "cup"],
        "CompetitionStatus": ["draft", "open", "closed", "running", "finished", "cancelled"],
        "Ending": [
            "normal-time",
            "sudden-death",
            "last-goal",
            "goalless",
            "over-time",
            "penalties",
            "resignation",
            "timeout",
            "forfeit",
            "adjudication",
        ],
        "EntryStatus": ["active", "on-hold", "gone", "replaced"],
        "Level": ["beginner", "club", "strong"],
        "MatchStatus": ["playing", "finished"],
        "RoundEnd": ["wait", "adjudicate", "forfeit"],
        "Scope": ["read", "play", "organise"],
        "Seeding": ["rating", "draw", "hand"],
        "SeekStatus": ["open", "taken", "withdrawn", "declined"],
        "Side": ["yellow", "red"],
    },
    "POSTPROCESSING_HOOKS": [
        "web.openapi.describe_problems",
        "web.openapi.close_requests",
        "web.openapi.name_enumerations",
    ],
}
