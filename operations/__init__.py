"""What operators use: health, metrics, the dashboard and the admin site."""
