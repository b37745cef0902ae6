"""The matches' pages. Refusals of services are raised on: ``web.pages.refusal_pages`` makes pages of them."""
