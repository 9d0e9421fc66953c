"""What other programs do with a model file: rows of this folder's YAML files, one file for each program."""

from unibody.checks.engines.forecast import forecast
from unibody.checks.engines.rows import Engine, Row, engines, engines_named

__all__ = ["Engine", "Row", "engines", "engines_named", "forecast"]
