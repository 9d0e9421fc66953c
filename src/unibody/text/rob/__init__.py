"""MPK's .rob syntax: parser and printer."""
