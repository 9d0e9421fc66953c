"""OpenHRP model files: robots in VRML97 text."""
