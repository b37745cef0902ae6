"""From which client IP a request comes, and who counts as one client."""

import pytest
from django.test import RequestFactory

from web.requests.client_ip import client_ip, client_network


@pytest.mark.parametrize(
    ("proxies", "forwarded", "address"),
    [
        (0, "203.0.113.9", "198.51.100.1"),
        (1, "203.0.113.9", "203.0.113.9"),
        (1, "10.0.0.1, 203.0.113.9", "203.0.113.9"),
        (2, "10.0.0.1, 203.0.113.9, 192.0.2.7", "203.0.113.9"),
        (2, "203.0.113.9", "203.0.113.9"),
        (1, "", "198.51.100.1"),
        (1, "203.0.113.9:5678", "203.0.113.9"),
        (1, "2001:db8::9", "2001:db8::9"),
        (1, "[2001:db8::9]", "2001:db8::9"),
        (1, "[2001:db8::9]:5678", "2001:db8::9"),
    ],
)
def test_only_what_trusted_proxies_wrote_is_believed(settings, proxies, forwarded, address):
    settings.TRUSTED_PROXIES = proxies
    request = RequestFactory().get("/", REMOTE_ADDR="198.51.100.1", headers={"X-Forwarded-For": forwarded})
    assert client_ip(request) == address


@pytest.mark.parametrize(
    ("address", "network"),
    [
        ("198.51.100.1", "198.51.100.1"),
        ("::ffff:198.51.100.1", "198.51.100.1"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("2001:db8:1:2:ffff::", "2001:db8:1:2::/64"),
        ("2001:db8:1:3::", "2001:db8:1:3::/64"),
        ("", ""),
        ("no address", "no address"),
    ],
)
def test_a_network_of_ipv6_counts_as_one_client(settings, address, network):
    settings.TRUSTED_PROXIES = 0
    assert client_network(RequestFactory().get("/", REMOTE_ADDR=address)) == network


@pytest.mark.parametrize("written", ["203.0.113.9:{}", "[2001:db8::9]:{}"])
def test_the_ports_of_a_client_are_one_client(settings, written):
    settings.TRUSTED_PROXIES = 1
    requests = [RequestFactory().get("/", headers={"X-Forwarded-For": written.format(port)}) for port in (5678, 5679)]
    assert len({client_network(request) for request in requests}) == 1
