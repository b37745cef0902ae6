"""Requests with an ``Idempotency-Key``: the decorator of views, the keys, and the responses that are kept."""
