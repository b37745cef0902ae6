"""The organisers' endpoints below ``/api/v1/competitions/<slug>/``: a token needs the scope ``organise``."""
