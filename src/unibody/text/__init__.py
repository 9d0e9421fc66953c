"""Text and syntax: sources, findings, nodes, and the syntaxes that parse to them."""
