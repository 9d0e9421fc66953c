"""Open Inventor 2 and VRML 1.0: models made of nodes that change a state and draw with it."""
