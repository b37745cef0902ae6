"""What the API needs: views, idempotency, pagination, description, problem details."""
