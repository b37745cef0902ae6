"""HTTP plumbing that all apps use: refusals as problem details, idempotency, throttling, pagination, middleware."""
