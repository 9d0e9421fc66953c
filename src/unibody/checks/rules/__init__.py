"""What every finding code means: why it matters, what to do, an example that fails and one that passes.

The entries are data, one YAML file per area in this folder; ``docs/findings.md`` and
``unibody explain`` show them, and the tests run every example.
"""

from unibody.checks.rules.rule import Example, Rule, fixable_codes, rules

__all__ = ["Example", "Rule", "fixable_codes", "rules"]
