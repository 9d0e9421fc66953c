"""The neutral model of a robot."""
