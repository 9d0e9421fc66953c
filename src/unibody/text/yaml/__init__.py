"""YAML as Choreonoid writes it: parser and printer."""
