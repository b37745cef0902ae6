"""The endpoints of devices and of what they are told."""
