"""Organisers and helpers of a competition, in JSON."""

from __future__ import annotations

from typing import Literal, TypedDict, cast

from players.models import Player
from tournaments.models.rights import RIGHTS, Role

RoleName = Literal["organiser", "helper"]
RightName = Literal["decide", "organise"]


class OrganiserSchema(TypedDict):
    """Somebody who runs a competition."""

    player: str
    role: RoleName
    rights: list[RightName]
    """``decide``: single matches, and taking such decisions back. ``organise``: everything else."""


def organiser_to_json(player: Player, role: Role) -> OrganiserSchema:
    """Return somebody who runs a competition, with the rights of the role."""
    rights = sorted(right.value for right in RIGHTS[role])
    return {
        "player": player.username,
        "role": role.value,
        "rights": cast("list[RightName]", rights),
    }
