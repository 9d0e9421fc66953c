"""Catalogues of robots: one page, or a table, of a whole collection."""

from __future__ import annotations

from unibody.catalogue.entry import Entry
from unibody.catalogue.html import catalogue_page
from unibody.catalogue.table import csv_lines, json_data, write_parquet

__all__ = ["Entry", "catalogue_page", "csv_lines", "json_data", "write_parquet"]
