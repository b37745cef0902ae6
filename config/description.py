"""What the API's description says of the whole, and how its enumerations are called."""

from __future__ import annotations

from typing import Any

DESCRIPTION: dict[str, Any] = {
    "OAS_VERSION": "3.1.0",
    "TITLE": "Kickabout",
    "DESCRIPTION": "Soccer board games by turns: matches with dice that nobody can doubt.",
    "VERSION": "1",
    "LICENSE": {"name": "MIT"},
    "SCHEMA_PATH_PREFIX": "/api/v1/",
    "SERVE_INCLUDE_SCHEMA": False,
    "COMPONENT_SPLIT_REQUEST": True,
    "ENUM_SUFFIX": "",
    "ENUM_NAME_OVERRIDES": {
        "Actor": ["yellow", "red", "chance"],
        "Colour": ["yellow", "red", "random"],
        "EntryStatus": ["active", "on-hold", "gone", "replaced"],
        "EventStatus": ["draft", "open", "closed", "running", "finished", "cancelled"],
        "MatchStatus": ["playing", "finished"],
        "Scope": "players.models.Scope",
        "SeekStatus": ["open", "taken", "withdrawn", "declined"],
        "Side": ["yellow", "red"],
        "WantedColour": "matches.models.Colour",
    },
    "POSTPROCESSING_HOOKS": [
        "drf_spectacular.hooks.postprocess_schema_enums",
        "config.schema.describe_problems",
        "config.schema.write_null_as_type",
    ],
}
