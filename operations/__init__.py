"""The tools of operators: health, metrics, the dashboard and the admin site."""
