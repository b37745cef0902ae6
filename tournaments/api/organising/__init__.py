"""The organisers' endpoints below ``/api/v1/events/<slug>/``: a token needs the scope ``organise``."""
