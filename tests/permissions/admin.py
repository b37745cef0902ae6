"""The rows of the admin's pages, which are alike for each kind of list."""

from tests.permissions.rows import Row, everybody, staff

Rows = dict[tuple[str, str], Row]

ALL_STAFF = staff(olga=200, others=200, boss=200)
BOSS = staff(olga=403, others=403, boss=200)
NOBODY = staff(olga=403, others=403, boss=403)
DONE = staff(olga=403, others=403, boss=302)
OWN = staff(olga=200, others=302, boss=200)
"""The answers for rows of one's own list; a row outside it is not there: the admin leads back to its first page."""

COMPETITIONS = ("tournaments/cup", "tournaments/ladder")
OF_COMPETITIONS = (
    "matches/match",
    "matches/matchanalysis",
    "tournaments/entry",
    "tournaments/entryinvitation",
    "tournaments/roleinvitation",
    "tournaments/round",
    "tournaments/tie",
    "tournaments/fixture",
    "tournaments/correction",
    "tournaments/dispute",
    "tournaments/lineup",
    "tournaments/standing",
    "tournaments/placechange",
    "tournaments/logentry",
    "tournaments/formertext",
    "tournaments/series",
)
RATINGS = ("players/rating", "tournaments/ratingchange")


def admin_rows() -> Rows:
    """Return all rows of the admin."""
    rows = _site()
    for path in COMPETITIONS:
        rows |= _list(path, shown=ALL_STAFF, row=OWN, add=ALL_STAFF, change=OWN, delete=NOBODY)
    for path in OF_COMPETITIONS:
        rows |= _list(path, shown=ALL_STAFF, row=OWN, add=NOBODY, change=NOBODY, delete=NOBODY)
    for path in RATINGS:
        rows |= _list(path, shown=ALL_STAFF, row=ALL_STAFF, add=NOBODY, change=NOBODY, delete=NOBODY)
    rows |= _list("players/player", shown=BOSS, row=BOSS, add=BOSS, change=BOSS, delete=DONE)
    rows |= _list("players/apitoken", shown=BOSS, row=BOSS, add=NOBODY, change=DONE, delete=DONE)
    rows |= _list("matches/sitepause", shown=BOSS, row=BOSS, add=BOSS, change=NOBODY, delete=NOBODY)
    rows |= _list("players/delivery", shown=BOSS, row=BOSS, add=NOBODY, change=NOBODY, delete=NOBODY)
    for path in ("tournaments/team", "tournaments/teammembership"):
        rows |= _list(path, shown=BOSS, row=BOSS, add=NOBODY, change=NOBODY, delete=NOBODY)
    rows |= _list("auth/group", shown=BOSS, row=BOSS, add=BOSS, change=BOSS, delete=DONE)
    return rows


def _site() -> Rows:
    return {
        ("GET", "admin/"): ALL_STAFF,
        ("GET", "admin/login/"): (302, 403, 403, 403, 403, 403, 302, 302, 302, 302),
        ("POST", "admin/login/"): (302, 403, 403, 403, 403, 403, 302, 302, 302, 302),
        ("POST", "admin/logout/"): everybody(302),
        ("GET", "admin/password_change/"): everybody(302),
        ("POST", "admin/password_change/"): everybody(302),
        ("GET", "admin/password_change/done/"): ALL_STAFF,
        ("GET", "admin/autocomplete/"): NOBODY,
        ("GET", "admin/jsi18n/"): ALL_STAFF,
        ("GET", "admin/r/<path:content_type_id>/<path:object_id>/"): staff(olga=404, others=404, boss=302),
        ("GET", "admin/<app_label>"): ALL_STAFF,
        ("GET", "admin/<url>"): staff(olga=404, others=404, boss=404),
        ("GET", "admin/players/player/<id>/password/"): BOSS,
        ("POST", "admin/players/player/<id>/password/"): BOSS,
    }


def _list(path: str, *, shown: Row, row: Row, add: Row, change: Row, delete: Row) -> Rows:
    """Return the pages of a list, of one row in it, and what may be done there. A form that is empty is shown again."""
    base, one = f"admin/{path}/", f"admin/{path}/<path:object_id>/"
    return {
        ("GET", base): shown,
        ("POST", base): shown,
        ("GET", f"{base}add/"): add,
        ("POST", f"{base}add/"): add,
        ("GET", one): everybody(302),
        ("GET", f"{one}history/"): row,
        ("GET", f"{one}change/"): row,
        ("POST", f"{one}change/"): change,
        ("GET", f"{one}delete/"): BOSS if delete == DONE else delete,
        ("POST", f"{one}delete/"): delete,
    }
