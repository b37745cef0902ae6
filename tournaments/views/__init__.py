"""The pages of ladders, cups and ratings.

Refusals of services are raised on: ``web.refusal_pages`` makes pages of them.
"""
