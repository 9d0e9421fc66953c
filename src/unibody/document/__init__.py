"""Documents: the declaration vocabulary and the one binder."""
