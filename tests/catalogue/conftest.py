"""Fixtures of the tests of catalogues: a browser if one is installed."""

from tests.view.conftest import chromium, page

__all__ = ["chromium", "page"]
