"""VRML97: parser, printer and layout."""
