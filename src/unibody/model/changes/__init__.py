"""Functions that return a modified copy of a robot."""
