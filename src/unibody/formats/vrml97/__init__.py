"""VRML97: nodes, prototypes, and the geometry that other formats share."""
