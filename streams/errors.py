"""Refusals of streams."""

from web.errors import DomainError


class StreamsElsewhere(DomainError):
    """This process serves no streams: it has too few threads to hold them open."""

    code = "streams_elsewhere"


class TooManyStreams(DomainError):
    """The client has as many streams open as it may."""

    code = "too_many_streams"
