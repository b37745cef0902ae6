"""The matches' pages. Refusals of services are raised on: ``web.refusal_pages`` makes pages of them."""
