"""Pages that only watch a match poll without cookies, unless something before the site asks for them."""

import pytest

pytestmark = pytest.mark.browser

NOTE_POLLS = """
window.polled = [];
const send = window.fetch;
window.fetch = (url, options) => {
  if (String(url).includes("/updates/")) window.polled.push(options.credentials);
  return send(url, options);
};
"""


@pytest.mark.parametrize(
    ("answer", "next_ones"),
    [
        ({"status": 401}, "same-origin"),
        ({"status": 302, "headers": {"Location": "/rules/"}}, "same-origin"),
        ({"status": 503}, "omit"),
        (None, "same-origin"),
    ],
)
def test_a_refused_poll_is_followed_by_polls_with_cookies(open_page, match, answer, next_ones):
    page = open_page(None, "/rules/")
    page.add_init_script(NOTE_POLLS)
    page.route("**/updates/?since=*", lambda route: route.fulfill(**answer) if answer else route.abort(), times=1)
    page.goto(match.get_absolute_url())
    for _poll in range(3):
        with page.expect_request("**/updates/?since=*"):
            pass
    assert page.evaluate("window.polled.slice(0, 3)") == ["omit", next_ones, next_ones]
