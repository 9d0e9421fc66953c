"""Functions from robot to robot, for writers and users; robots are never changed in place."""
