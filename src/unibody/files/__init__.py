"""Access to the file system: read limits, URIs, packages, atomic writes."""
