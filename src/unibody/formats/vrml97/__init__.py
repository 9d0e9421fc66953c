"""VRML97: nodes, prototypes and shapes, shared by the formats that are based on it."""
