"""XML: parser, printer, and the places of attributes."""
