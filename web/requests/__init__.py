"""What every request passes: client IP, log, metrics, robustness."""
