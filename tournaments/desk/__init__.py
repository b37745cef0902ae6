"""The organisers' desk: acts, their pages and endpoints."""
