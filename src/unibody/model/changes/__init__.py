"""Steps from robot to robot that writers and users ask for by name; nothing is changed in place."""
