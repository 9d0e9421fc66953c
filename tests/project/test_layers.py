"""The arrows between the packages: nothing imports upward, and nothing in a circle."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from tests import sources

ROOT = Path(__file__).resolve().parents[2] / "src"
SRC = ROOT / "unibody"
# They may import what they like, but not in a circle.
OTHERS = (ROOT.parent / "fuzz", ROOT.parent / "tools")

# What each package of unibody may import besides itself; only cli may import everything.
ALLOWED: dict[str, set[str]] = {
    "text": set(),
    "files": {"text"},
    "document": {"text"},
    "model": {"text"},
    "formats": {"text", "document", "model", "files"},
    "edits": {"text", "document", "model", "files", "formats"},
    "meshes": {"text", "document", "model", "files", "formats"},
    "batch": {"text", "document", "model", "files", "formats"},
    "mechanism": {"text", "model", "files"},
    "motions": {"text", "model", "files", "formats", "mechanism"},
    "collision": {"text", "model", "files", "formats", "meshes", "mechanism"},
    "planning": {
        "text",
        "model",
        "files",
        "formats",
        "meshes",
        "mechanism",
        "motions",
        "collision",
        "simulation",
    },
    "simplification": {"text", "model", "files", "formats", "batch", "meshes", "mechanism"},
    "catalogue": {"text", "model", "files", "page"},
    "checks": {"text", "model", "files", "formats", "meshes", "mechanism", "collision"},
    "page": {"text", "model", "files", "formats", "meshes", "mechanism", "motions", "simulation"},
    "simulation": {
        "text",
        "model",
        "files",
        "formats",
        "meshes",
        "mechanism",
        "motions",
        "conversion",
        "bridges",
        "simplification",
        "collision",
    },
    "exchange": {"text", "checks"},
    "fixes": {"text", "document", "model", "files", "formats", "checks"},
    "conversion": {"text", "document", "model", "files", "formats", "edits", "meshes", "mechanism"},
    "bridges": {"text", "model", "files", "formats", "meshes", "mechanism", "conversion"},
    "proof": {
        "text",
        "model",
        "files",
        "formats",
        "mechanism",
        "meshes",
        "conversion",
        "bridges",
        "checks",
    },
    "schemas": set(),
    "models": set(),
}
SHARED_FORMATS = {"vrml97", "inventor", "xacro"}
# What packages above the formats may import of one that has more than a reader and a writer.
FACES = {"mjcf": {"engine"}}


def imports(path: Path) -> Iterator[tuple[int, tuple[str, ...]]]:
    """Line and dotted name below unibody of all that a file imports, TYPE_CHECKING included."""
    package = path.relative_to(ROOT).parts[:-1]
    for node, _ in sources.imports(path):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        else:
            outer = ".".join(package[: len(package) - node.level + 1]) if node.level else ""
            base = ".".join(part for part in (outer, node.module) if part)
            names = [f"{base}.{alias.name}" for alias in node.names]
        for name in names:
            if name.split(".")[0] == "unibody":
                yield node.lineno, tuple(name.split(".")[1:])


def refusal(source: tuple[str, ...], target: tuple[str, ...]) -> str | None:
    """Why a module (its path below unibody, without suffix) may not import a name, or None."""
    top, goal = source[0], target[0] if target else ""
    if top in {"__init__", "__main__", "cli", "functions"}:
        return None
    is_module = goal and ((SRC / goal).is_dir() or (SRC / f"{goal}.py").is_file() or goal in ALLOWED)
    if goal == "cli" or not is_module:
        return "only the command imports the command or the public API"
    if goal != top and goal not in ALLOWED.get(top, {goal}):
        return f"{top} may not import {goal}"
    if top != goal == "formats" and len(target) > 2 and target[2] not in FACES.get(target[1], {target[2]}):
        return f"{top} may import of {target[1]} only {', '.join(FACES[target[1]])}"
    if top == goal == "formats" and source[1] != "__init__":  # that one holds FORMATS
        mine = source[1] if len(source) > 2 else ""
        other = target[1] if len(target) > 1 else ""
        if (SRC / "formats" / other).is_dir() and other not in SHARED_FORMATS | {mine}:
            return "formats do not import one another"
    return None


def test_nothing_imports_upward() -> None:
    wrong = []
    for path in sorted(SRC.rglob("*.py")):
        source = path.relative_to(SRC).with_suffix("").parts
        for line, target in imports(path):
            why = refusal(source, target)
            if why:
                wrong.append(f"{path.relative_to(ROOT)}:{line}: {'.'.join(target)}: {why}")
    assert not wrong, "\n".join(wrong)


def circles(graph: dict[str, set[str]]) -> list[list[str]]:
    """Groups of modules that import one another (the strongly connected components of two and more)."""
    order: dict[str, int] = {}
    low: dict[str, int] = {}
    stack: list[str] = []
    found: list[list[str]] = []

    def visit(name: str) -> None:
        order[name] = low[name] = len(order)
        stack.append(name)
        for other in sorted(graph[name]):
            if other not in order:
                visit(other)
                low[name] = min(low[name], low[other])
            elif other in stack:
                low[name] = min(low[name], order[other])
        if low[name] == order[name]:
            start = stack.index(name)
            group = stack[start:]
            del stack[start:]
            if len(group) > 1:
                found.append(sorted(group))

    for name in sorted(graph):
        if name not in order:
            visit(name)
    return found


@cache
def import_graph() -> dict[str, set[str]]:
    """What each module imports at run time, at the top or inside functions; not under TYPE_CHECKING."""
    names = {}
    for folder in (SRC, *OTHERS):
        for path in sorted(folder.rglob("*.py")):
            parts = path.relative_to(folder.parent).with_suffix("").parts
            names[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    graph: dict[str, set[str]] = {}
    for name, path in names.items():
        graph[name] = set()
        for node, at_run_time in sources.imports(path):
            if not at_run_time:
                continue
            if isinstance(node, ast.Import):
                graph[name] |= {alias.name for alias in node.names}
            elif node.module:
                inner = {f"{node.module}.{alias.name}" for alias in node.names}
                graph[name] |= {one if one in names else node.module for one in inner}
        graph[name] = (graph[name] & set(names)) - {name}
    return graph


def test_no_modules_import_one_another() -> None:
    found = circles(import_graph())
    assert not found, "\n".join(", ".join(group) for group in found)


def test_the_graph_has_the_fuzzer_and_the_tools() -> None:
    graph = import_graph()
    assert "fuzz.generated" in graph["fuzz.seeds"]
    assert "tools.json_schema" in graph["tools.schema"]
    assert "unibody.text.node" in graph["unibody.text.merge"]


def test_nothing_in_simulation_imports_the_class_on_top() -> None:
    """Not even for annotations: what the parts of a simulation work on is below it."""
    top = ("simulation", "simulation")
    wrong = [
        f"{path.name}:{line}"
        for path in sorted((SRC / "simulation").glob("*.py"))
        for line, target in imports(path)
        if target[: len(top)] == top
    ]
    assert not wrong, wrong


def test_nothing_in_simulation_reads_private_attributes_of_others() -> None:
    wrong = []
    for path in sorted((SRC / "simulation").glob("*.py")):
        for node in ast.walk(sources.tree(path)):
            if not isinstance(node, ast.Attribute) or not node.attr.startswith("_"):
                continue
            own = isinstance(node.value, ast.Name) and node.value.id in ("self", "cls")
            if not own and not node.attr.startswith("__"):
                wrong.append(f"{path.name}:{node.lineno}: {ast.unparse(node)}")
    assert not wrong, "\n".join(wrong)


# The modules of a conversion, from the first step to the one that calls them all.
CONVERSION = (
    "assets output destination asset_paths mesh_export lowering writing readback layout "
    "completion measurement steps scenes pipeline"
).split()
# What steps make of one another: a function of these that is passed down would call an earlier step.
MADE_BY_STEPS = {"Robot", "Destination", "Output", "Lowered", "Origin", "Written", "Report"}


def test_steps_of_a_conversion_import_earlier_ones_only() -> None:
    graph = import_graph()
    wrong = []
    for k, name in enumerate(CONVERSION):
        later = {f"unibody.conversion.{other}" for other in CONVERSION[k:]}
        # completions are conversions of their own: the steps know nothing of them
        later |= {"unibody.conversion.completion"} if name == "steps" else set()
        wrong += [f"{name}: {found}" for found in graph[f"unibody.conversion.{name}"] & later]
    assert not wrong, wrong


def test_no_step_of_a_conversion_is_passed_to_another() -> None:
    """Neither as an argument nor as a type: a caller has a result and passes it on."""
    wrong = []
    for path in sorted((SRC / "conversion").glob("*.py")):
        for node in ast.walk(sources.tree(path)):
            if isinstance(node, ast.Subscript) and ast.unparse(node.value) == "Callable":
                names = {x.id for x in ast.walk(node.slice) if isinstance(x, ast.Name)}
                wrong += [f"{path.name}:{node.lineno}: Callable of {x}" for x in names & MADE_BY_STEPS]
            elif isinstance(node, ast.Call) and ast.unparse(node.func) not in ("map", "filter"):
                values = [*node.args, *(k.value for k in node.keywords)]
                steps = {x.id for x in values if isinstance(x, ast.Name)} & step_names()
                wrong += [f"{path.name}:{node.lineno}: {x} is passed" for x in steps]
    assert not wrong, "\n".join(wrong)


@cache
def step_names() -> frozenset[str]:
    """The functions of the modules of a conversion."""
    return frozenset(
        node.name
        for name in CONVERSION
        for node in sources.tree(SRC / "conversion" / f"{name}.py").body
        if isinstance(node, ast.FunctionDef)
    )


def test_circles_are_found() -> None:
    assert circles({"a": {"b"}, "b": {"c"}, "c": {"a"}, "d": {"a"}}) == [["a", "b", "c"]]


def test_the_rule_itself() -> None:
    assert refusal(("model", "facts"), ("text", "node", "Node")) is None
    assert refusal(("model", "facts"), ("document", "bind")) == "model may not import document"
    assert refusal(("text", "node"), ("cli",)) == "only the command imports the command or the public API"
    assert refusal(("cli", "main"), ("formats", "FORMATS")) is None
    assert refusal(("simulation", "scene"), ("formats", "mjcf", "engine", "is_scan")) is None
    inside = ("formats", "mjcf", "scans", "is_scan")
    assert refusal(("simulation", "scene"), inside) == "simulation may import of mjcf only engine"


def test_importing_unibody_loads_nothing() -> None:
    code = "import sys, unibody; print([m for m in sys.modules if m.startswith(('unibody.', 'numpy'))])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"
