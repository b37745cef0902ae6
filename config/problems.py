"""Refusals over HTTP: which status each refusal has, and how it is written (RFC 9457)."""
