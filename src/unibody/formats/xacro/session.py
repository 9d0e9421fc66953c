"""Sandboxed run of the xacro package.

xacro has global state, prints, opens files and evaluates Python. Each run imports a private copy of the
package and replaces its access to files by Files, its messages by findings, and eval by an Evaluator.
"""

from __future__ import annotations

import fnmatch
import importlib.util
import itertools
import os
import re
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any
from xml.dom import minidom

import yaml

from unibody.files.access import Files
from unibody.formats.arguments import argument
from unibody.formats.xacro.arguments import Arguments, Cause, Texts
from unibody.formats.xacro.dom import span_of, to_dom
from unibody.formats.xacro.expression import LARGEST_VALUE, Evaluator, Refused
from unibody.text.decode import decode
from unibody.text.finding import Finding, Findings, TextError
from unibody.text.hint import Hint, Setting
from unibody.text.limits import how_to_raise
from unibody.text.source import Source, Span
from unibody.text.xml import parser as xml
from unibody.text.yaml.parser import yaml_finding

# Xacro elements per unit of work (see ReadLimits).
_ELEMENTS_PER_WORK = 0.01
_LONGEST_TEXT = 30_000
_LARGEST_YAML, _DEEPEST_YAML = 4_000_000, 100

# Unlike xacro's own pattern, this one does not take exponential time on "a:=xxxx…'".
_DEFAULT = r"""\$\{.*?\}|\$\(.*?\)|(?:'[^']*'|"[^"]*"|[^\s'"])+|"""
_MACRO_ARGUMENT = re.compile(rf"^\s*([^\s:=]+?)\s*:?=\s*(\^\|?)?({_DEFAULT})(?:\s+|$)(.*)")
_UNITS = {"radians": 1.0, "degrees": 0.017453292519943295, "meters": 1.0, "millimeters": 0.001}
_UNITS |= {"foot": 0.3048, "inches": 0.0254}

_numbers = itertools.count()


class Missing(Exception):
    """A package or file does not exist; ``path`` is that of the file, as its name says."""

    def __init__(self, finding: Finding, path: str = "") -> None:
        super().__init__(finding.message)
        self.finding = finding
        self.path = path


def caused(finding: Finding, cause: Cause) -> Finding:
    """A finding about a missing file whose name has the values of arguments."""
    code = finding.code if cause.given else "argument-missing"
    return replace(finding, code=code, message=f"{finding.message}: {cause.said}", hint=cause.hint)


def _needed(name: str) -> Refused:
    """An argument that has neither a value nor a default."""
    hint = Hint("give its value with ", argument(name))
    return Refused(f"missing argument {name!r}", hint, code="argument-missing")


class Session:
    """Expands one document.

    ``current`` is the element that xacro is processing; ``declared`` are the arguments that the files
    declare, in any branch, or use, with their defaults as written; ``missing`` are the findings about
    files that were not included.
    """

    def __init__(
        self,
        path: str,
        files: Files,
        findings: Findings,
        declared: dict[str, str | None],
        strict: bool,
    ) -> None:
        self.path, self.files, self.findings, self.strict = path, files, findings, strict
        self.declared = declared
        self.missing: list[Finding] = []
        self.texts = Texts()
        self.arguments = Arguments({}, declared, self._substitute)
        self.current: Any = None
        self.evaluator = Evaluator(files.limits.work)
        self.elements = 0
        self.optional: list[bool] = []
        self.sources: dict[str, Source] = {}
        self.xacro = _private_copy()
        self._install_hooks()

    def run(self, document: minidom.Document, mappings: Mapping[str, str]) -> None:
        """Expand a document in place; raises any exception of xacro."""
        self.xacro.init_stacks(self.path)
        self.arguments = Arguments(mappings, self.declared, self._substitute)
        self._declare(document)
        self.xacro.process_doc(document, mappings=self.arguments)

    def _declare(self, document: minidom.Document) -> None:
        """Record the arguments that a document declares, also where a condition excludes them."""
        for element in document.getElementsByTagName("xacro:arg"):
            name = element.getAttribute("name")
            if self.declared.get(name) is None:
                default = element.getAttribute("default")
                self.declared[name] = default if element.hasAttribute("default") else None
        self.texts.add(document)

    def where(self) -> Span | None:
        """The place of the current element in its file."""
        place = span_of(self.current) if self.current is not None else None
        return Span(Source(place.source.name, place.source.text), place.start, place.end) if place else None

    def trail(self) -> str:
        """The open macros and files, innermost first."""
        macros = [f"macro {m.body.getAttribute('name')}" for m in reversed(self.xacro.macrostack or [])]
        files = [str(f) for f in reversed((self.xacro.filestack or [])[1:])]
        parts = macros[:4] + (["…"] if len(macros) > 4 else []) + files[:4]
        return "in " + ", in ".join(parts) if parts else ""

    def _install_hooks(self) -> None:
        module = self.xacro
        for name in ("process_include", "grab_property", "grab_macro", "handle_macro_call", "check_attrs"):
            setattr(module, name, self._watched(getattr(module, name)))
        module.process_include = self._with_optional(module.process_include)
        module.check_attrs = self._with_defaults(module.check_attrs)
        module.eval_text = self._bounded(module.eval_text)
        module.safe_eval = lambda text, names, _=None: self.evaluator.evaluate(text, names)
        module.eval_extension = self._substitute
        module.get_include_files = self._included
        module.parse = lambda _, path: self._document(path)
        module.re_macro_arg = _MACRO_ARGUMENT
        module.warning, module.message, module.error = self._warn, self._tell, self._warn
        module.print_location = lambda: ""
        names = module._global_symbols
        own = {"load_yaml": self._yaml, "message": self._tell, "warning": self._warn, "error": self._warn}
        names["xacro"].update(own, print_location=lambda: "", tokenize=_tokenize)
        names["python"].pop("vars", None)
        names.update(load_yaml=self._yaml, sorted=sorted)
        for name, function in self.evaluator.functions.items():
            for scope in (names, names["python"], names["math"]):
                if name in scope or scope is names["python"]:
                    scope.update({name: function})

    def _watched(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """Wrap a function of xacro: records the current element and enforces the limits."""
        most = self.files.limits.work * _ELEMENTS_PER_WORK

        def watched(element: Any, *rest: Any) -> Any:
            self.current = element
            self.elements += 1
            if self.elements > most:
                raise Refused(f"expansion has more than {most:.0f} elements", how_to_raise("work"))
            self.files.meter.take_nodes(1, self.where)
            self.evaluator.step()
            if len(element.getAttribute("params")) > _LONGEST_TEXT:
                raise Refused("parameter list is too long")
            return function(element, *rest)

        return watched

    def _bounded(self, function: Callable[[str, Any], Any]) -> Callable[[str, Any], Any]:
        def bounded(text: str, symbols: Any) -> Any:
            if "$" not in text:
                return text
            if len(text) > _LONGEST_TEXT:
                raise Refused("text with expressions is too long")
            value = function(text, symbols)
            self.evaluator.step(1 + len(value) // 100 if isinstance(value, str) else 1)
            return value

        return bounded

    def _tell(self, *words: Any, **_: Any) -> str:
        self._note("info", "xacro-message", words)
        return ""

    def _warn(self, *words: Any, **_: Any) -> str:
        self._note("info" if "deprecated" in str(words[:1]) else "warning", "xacro-warning", words)
        return ""

    def _note(self, severity: Any, code: str, words: tuple[Any, ...]) -> None:
        finding = Finding(code, severity, " ".join(map(str, words))[:1000], self.where(), self.trail())
        if all((f.code, f.message) != (code, finding.message) for f in self.findings):
            self.findings.append(finding)

    def _base(self) -> str:
        return str(self.xacro.filestack[-1])

    def _find(self, uri: str) -> str:
        """Resolve a URI relative to the current file; Missing if the file does not exist."""
        found = Findings()
        path = self.files.resolve(uri, self._base(), self.where(), found)
        if path is None or not self.files.exists(path):
            raise Missing(
                found[-1] if found else Finding("file-missing", "warning", f"missing file {uri!r}"),
                self._path_of(uri),
            )
        self.findings += found
        return path

    def _path_of(self, uri: str) -> str:
        """The path that a file would have, empty if it is in no folder that may be opened."""
        path = uri if "://" not in uri else ""
        path = os.path.normpath(os.path.join(os.path.dirname(self._base()), path))
        folder = path
        while folder and not self.files.kind(folder) and folder != (above := os.path.dirname(folder)):
            folder = above
        known = self.files.find(folder or os.curdir, self._base(), kind="directory")
        return path if known is not None else ""

    def _find_directory(self, folder: str) -> str:
        found = Findings()
        path = self.files.resolve(folder, self._base(), self.where(), found, "directory")
        if path is None:
            raise Missing(found[-1])
        return path

    def _with_optional(self, function: Callable[..., Any]) -> Callable[..., Any]:
        def include(element: Any, *rest: Any) -> Any:
            self.optional.append(element.getAttribute("optional") in {"true", "True", "1"})
            result = function(element, *rest)
            self.optional.pop()
            return result

        return include

    def _with_defaults(self, function: Callable[..., Any]) -> Callable[..., Any]:
        def check(element: Any, *rest: Any) -> Any:
            if element.tagName == "xacro:arg" and not element.hasAttribute("default"):
                name = element.getAttribute("name")
                if name not in self.arguments:
                    raise _needed(name)
                element.setAttribute("default", "")  # not used
            return function(element, *rest)

        return check

    def _included(self, spec: str, symbols: Any) -> Iterator[str]:
        """The files of an include; a missing file is reported and skipped."""
        try:
            uri = str(self.xacro.eval_text(spec, symbols))
            paths = self._matching(uri) if re.search(r"[*?[]", uri) else [self._find(uri)]
        except Missing as missing:
            if not self.optional[-1]:
                self._report_missing(missing, spec)
            return
        for path in paths:
            open_files = [self.files.canonical(str(f)) for f in self.xacro.filestack]
            if len(open_files) > self.files.limits.includes:
                raise TextError(self.files.limits.finding("includes", f"include {uri!r}", self.where()))
            if self.files.canonical(path) in open_files:
                raise Refused(f"include cycle: {path} includes itself")
            yield path

    def _report_missing(self, missing: Missing, spec: str) -> None:
        """Report a file that cannot be included, with the arguments that its name is made of."""
        f = missing.finding
        severity: Any = "error" if self.strict else f.severity
        finding = Finding(f.code, severity, f"include: {f.message}", self.where(), f.hint)
        if (cause := self.texts.cause([spec], missing.path, self.arguments, self.files)) is not None:
            finding = caused(finding, cause)
        self.findings.append(finding)
        self.missing.append(finding)

    def _matching(self, uri: str) -> list[str]:
        folder, pattern = os.path.split(uri)
        # directories outside the allowed folders are not listed
        directory = self._find_directory(folder or os.curdir)
        names = fnmatch.filter(self.files.names(directory), pattern)
        # as in a shell, * skips dotfiles
        names = [name for name in names if not name.startswith(".")]
        if not names:
            self._warn(f"include: no file matches {uri!r}")
        return [self._find(os.path.join(folder, name)) for name in names]

    def _document(self, path: str) -> minidom.Document:
        source = decode(self.files.read(path, self.where()), path, self.findings, self.files.meter)
        document = to_dom(xml.parse(source, self.findings), self.sources)
        self._declare(document)
        return document

    def _substitute(self, text: str) -> str:
        """Evaluate a substitution; ``text`` includes the $( and )."""
        command, _, rest = text[2:-1].strip().partition(" ")
        words = rest.split()
        arguments = self.xacro.substitution_args_context["arg"]
        match command, words:
            case "arg", [name]:
                if name not in arguments:
                    raise _needed(name)
                return str(arguments[name])
            case "find", [name]:
                return self._package(name)
            case "env", [name]:
                if name not in self.files.environment:
                    raise Refused(f"environment variable {name!r} is not set")
                return self.files.environment[name]
            case "optenv", [name, *default]:
                return self.files.environment.get(name, " ".join(default))
            case "dirname", []:
                return self._directory()
            case "cwd", []:
                return self.files.absolute(os.curdir)
            case "eval", [_, *_]:
                for name in arguments:
                    if name in rest:
                        self.declared.setdefault(name, None)
                return str(self.evaluator.evaluate(rest, self._eval_names(rest)))
        raise Refused(f"unknown substitution {text}")

    def _package(self, name: str) -> str:
        path = self.files.package(name, self._base())
        if path is None:
            hint = Hint("give its folder with ", Setting("package", name), " or ROS_PACKAGE_PATH")
            raise Missing(
                Finding("file-missing", "warning", f"unknown package {name!r}", self.where(), hint)
            )
        return path

    def _directory(self) -> str:
        """The absolute directory of the file being read."""
        return os.path.dirname(self.files.absolute(self._base()))

    def _eval_names(self, text: str) -> dict[str, Any]:
        """The names available in $(eval TEXT): the symbols of xacro and four functions."""
        given = self.xacro.substitution_args_context["arg"]
        # those that occur are looked up, which evaluates what the caller gave
        values = {k: given.__getitem__(k) if k in text else v for k, v in given.items()}
        arguments = {k: self.xacro.Table._eval_literal(v) for k, v in values.items()}
        environment = self.files.environment
        return {
            **self.xacro._global_symbols,
            **arguments,
            "true": True,
            "false": False,
            "arg": lambda name: arguments[name],
            "env": lambda name: environment[name],
            "optenv": lambda name, default="": environment.get(name, default),
            "find": self._package,
            "dirname": self._directory,
        }

    def _yaml(self, name: str) -> Any:
        """Load a YAML file with xacro's unit tags."""
        try:
            path = self._find(str(name))
        except Missing as missing:
            texts = self.texts.loading
            if (cause := self.texts.cause(texts, missing.path, self.arguments, self.files)) is not None:
                finding = replace(missing.finding, severity="error", at=self.where())
                raise TextError(caused(finding, cause)) from None
            raise
        data = self.files.read(path, self.where())
        if len(data) > _LARGEST_YAML:
            raise Refused(f"{path} is too large")
        source = decode(data, path, self.findings, self.files.meter)
        loader: Any = type("Loader", (getattr(yaml, "CSafeLoader", yaml.SafeLoader),), {})
        for unit, factor in _UNITS.items():
            loader.add_constructor(f"!{unit}", self._unit(factor))
        try:
            _check_yaml_size(source.text, loader)
            value = self.evaluator.limited(yaml.load(source.text, loader))
        except yaml.MarkedYAMLError as broken:
            raise TextError(yaml_finding(source, broken)) from None
        return self.xacro.YamlListWrapper.wrap(value)

    def _unit(self, factor: float) -> Callable[[Any, Any], float]:
        def construct(loader: Any, node: Any) -> float:
            text = loader.construct_scalar(node)
            return float(self.evaluator.evaluate(text, self.xacro._global_symbols)) * factor

        return construct


def _check_yaml_size(text: str, loader: Any) -> None:
    """Refused for YAML that is nested too deeply, which would crash libyaml, or whose aliases expand to too
    much data."""
    sizes: dict[str, int] = {}
    counts: list[tuple[str | None, int]] = [(None, 0)]
    for event in yaml.parse(text, loader):
        anchor, size = getattr(event, "anchor", None), 0
        if isinstance(event, yaml.CollectionStartEvent):
            counts.append((anchor, 1))
            # an alias of an open collection contains itself
            sizes |= {anchor: LARGEST_VALUE} if anchor else {}
        elif isinstance(event, yaml.CollectionEndEvent):
            anchor, size = counts.pop()
        elif isinstance(event, yaml.AliasEvent):
            anchor, size = None, sizes.get(event.anchor or "", 1)
        elif isinstance(event, yaml.ScalarEvent):
            size = 1
        if anchor and size:
            sizes[anchor] = size
        counts[-1] = (counts[-1][0], counts[-1][1] + size)
        if counts[-1][1] > LARGEST_VALUE:
            raise Refused(f"YAML data has more than {LARGEST_VALUE} entries")
        if len(counts) > _DEEPEST_YAML:
            raise Refused(f"YAML data is nested deeper than {_DEEPEST_YAML} levels")


def _tokenize(text: str, sep: str = ",; ", skip_empty: bool = True) -> list[str]:
    words = re.split("|".join(map(re.escape, sep)) or "(?!)", text)
    return [word for word in words if word or not skip_empty]


def _private_copy() -> Any:
    """Import a private copy of the xacro package; ImportError if it is not installed."""
    found = importlib.util.find_spec("xacro")
    if found is None or found.origin is None:
        raise ImportError("the xacro package is not installed")
    name = f"_unibody_xacro_{next(_numbers)}"
    folders = found.submodule_search_locations
    spec = importlib.util.spec_from_file_location(name, found.origin, submodule_search_locations=folders)
    if spec is None or spec.loader is None:
        raise ImportError("the xacro package cannot be loaded")
    module = importlib.util.module_from_spec(spec)
    # importing xacro patches this method of the standard library; undo it
    original = minidom.Element.writexml
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    finally:
        minidom.Element.writexml = original  # type: ignore[method-assign]
        for key in [k for k in list(sys.modules) if k == name or k.startswith(f"{name}.")]:
            del sys.modules[key]
    return module
