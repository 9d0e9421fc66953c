"""The Format record: all that unibody knows of one file format, heavy parts imported on first use."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import field
from typing import TYPE_CHECKING, Any, Literal, Protocol, get_args

from unibody.text.dataclass import dataclass
from unibody.text.hint import option_of

# Records are imported at every start of the command; the modules of their types are not.
if TYPE_CHECKING:
    from unibody.document.declare import Document, Tagged
    from unibody.files.access import Files
    from unibody.formats.budget import Budget
    from unibody.model.base import Base
    from unibody.model.facts import Difference
    from unibody.model.left_out import LeftOut
    from unibody.model.mesh_reading import MeshReading
    from unibody.model.metadata import Aspect
    from unibody.model.pose import Pose
    from unibody.model.robot import Robot
    from unibody.model.scene import Scene
    from unibody.model.shape import Shape, Texture
    from unibody.text.edit import ProposedFix
    from unibody.text.finding import Finding, Findings
    from unibody.text.node import Node, Value
    from unibody.text.source import Source
    from unibody.text.syntaxes import Syntax


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Format:
    """One file format.

    ``title`` is its name in messages and tables; files are written with the first of ``suffixes``.
    ``magic`` are texts that its files begin with; ``marks`` tell it from another format with the same
    magic: one of them occurs anywhere in its files. Files that are no text begin with one of ``binary``;
    the reader gets their content as ``Source.data``. ``is_other`` tells a text that has the format's
    magic, but is of another one; ``is_part`` a text of the format, with its path, that is made for others
    to refer to: a mesh, macros, or a file that they include. ``syntax`` names the syntax of its text,
    ``brackets`` the characters that ``unibody fmt`` lays the text out by (where empty, the whole file is
    printed again), ``up`` the axis that points up in a view; ``up_in`` returns that of one document, where
    the files of a format differ. ``declarations`` are its document classes, ``reader`` and ``writer`` its
    functions, ``samples`` small models by file name for tests and the fuzzer (the first is a model, which
    may refer to the others): functions, so that each is imported on first use. ``writer`` is None for a
    format that is only read. ``fixed_names`` are names of the robot's items, by list, that are keywords of
    the format. A format that ``completes`` another one says more about a model of that format, in a second
    file: ``complete`` adds this to a robot that was read from ``context.path``; it is written beside the
    model, unless the option of the other format that has this one's name is "".
    ``read_options`` are the choices in how it is read, ``options`` those in how it is written, ``schema``
    is its schema for editors, ``docs`` the page that documents it, below ``docs/``, ``rules`` the title of
    its section in ``docs/findings.md``: rules.yaml in its folder explains its findings. ``objects`` tells
    how models of another library are read, ``pairs`` which pairs of links its files
    list for tests of collision, ``untested`` returns how they state that two links need no
    test, and why these are tested, ``descriptions`` the attributes in which modules of the package
    robot_descriptions have the path of such a file. ``left_out`` lists what its vendor data of a robot say
    that could touch, hold or weigh something; ``placed`` moves what they have in the world by a pose.
    ``attached`` is applied to a robot to which another one was attached, and gets both: it puts what they
    keep into the notation of one file, and returns what could not be, too.
    ``acting`` are the elements of its vendor data whose items do something that the model has no field for:
    by their keys the aspect and the word for one item.
    """

    name: str
    title: str
    suffixes: tuple[str, ...]
    magic: tuple[str, ...] = ()
    marks: tuple[str, ...] = ()
    binary: tuple[bytes, ...] = ()
    is_other: Callable[[str], bool] = lambda text: False
    is_part: Callable[[str, str], bool] = lambda path, text: False
    syntax: Syntax
    brackets: str = ""
    up: Up = "z"
    up_in: Callable[[], Callable[[Document], Up]] | None = None
    declarations: Callable[[], Declarations]
    reader: Callable[[], Reader]
    writer: Callable[[], Writer] | None = None
    completes: str = ""
    complete: Callable[[], Callable[[Robot, Context], Robot]] | None = None
    schema: EditorSchema | None = None
    fixed_names: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    read_options: tuple[ReadOption, ...] = ()
    options: tuple[WriteOption, ...] = ()
    docs: str = ""
    rules: str = ""
    samples: Callable[[], Mapping[str, str]] = dict
    pairs: Literal["", "disabled", "enabled"] = ""
    untested: Callable[[], Callable[[Robot, str, str], str]] | None = None
    descriptions: tuple[str, ...] = ()
    objects: Objects | None = None
    left_out: Callable[[], Callable[[Robot], list[LeftOut]]] | None = None
    placed: Callable[[], Callable[[Robot, Pose], Robot]] | None = None
    attached: Callable[[], Callable[[Robot, Robot, Robot], tuple[Robot, list[Difference]]]] | None = None
    acting: Mapping[str, tuple[Aspect, str]] = field(default_factory=dict)


class ModelObject(Protocol):
    """A model in memory of another library: a ``mujoco.MjSpec``."""

    modelname: str
    modelfiledir: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Objects:
    """How models of another library are read that have the content of a format.

    ``is_model`` recognizes one without importing the library; ``files`` returns its path and the contents
    of all of its files by path, the text of the format among them.
    """

    is_model: Callable[[object], bool]
    files: Callable[[], Callable[[Any], tuple[str, dict[str, bytes]]]]


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadOption:
    """A choice in how models are read: a keyword of ``read`` and an option of the command.

    ``form`` is that of its value: "path" of a file, "" for none; "mapping" from names to values; "list";
    "word", one of ``choices``; "limits", names and values of ``ReadLimits``; "number" or "axis", one for
    all mesh files or a mapping from their names. ``flag`` is the option of the command if it is not --NAME,
    which takes a ``metavar``; ``help`` explains it.
    """

    name: str
    form: Literal["path", "mapping", "list", "word", "limits", "number", "axis"]
    help: str
    metavar: str = ""
    flag: str = ""
    choices: tuple[str, ...] = ()

    @property
    def option(self) -> str:
        """The option of the command."""
        return self.flag or option_of(self.name)


@dataclass(frozen=True, slots=True, kw_only=True)
class WriteOption:
    """A choice in how a format is written: a keyword of ``save`` and an option of `unibody convert`.

    The option with a single choice takes no value. "" is the default of each, unless it is one of the
    ``choices``.
    """

    name: str
    choices: tuple[str, ...]
    help: str


Up = Literal["y", "z"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Declarations:
    """The document classes of a format.

    ``root`` is the class of a whole file, ``nodes`` the table of classes by tag where the format has one
    (``Binding.nodes``), ``own`` those of them that only this format has. ``title`` heads the reference
    page, which lists ``own``, or all; a format without it has no such page. ``owners`` are the classes that
    declare the extras of a robot, by the list of the robot that has their owner ("" for the robot itself);
    ``devices`` those that declare the data of an opaque device, by its kind.
    """

    root: type[Document]
    nodes: Mapping[str, type[Tagged]] = field(default_factory=dict)
    own: Mapping[str, type[Tagged]] = field(default_factory=dict)
    title: str = ""
    owners: Mapping[str, type[Document]] = field(default_factory=dict)
    devices: Mapping[str, type[Document]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class EditorSchema:
    """A format's schema for editors: a file in ``unibody/schemas``, made by ``tools/schema.py``.

    ``file`` is an XML Schema (.xsd) or a JSON Schema (.json) that accepts undeclared elements, ``closed``
    one that rejects them. Of a format in YAML, ``mappings`` are the keys of lists that may also be a
    mapping from type to element; ``imports`` names for such a list the key under which its elements
    include others: nothing is required in them then. ``tag`` is the tag of the root element in XML,
    ``include`` that of an element that stands for the content of another file. ``strict``: the loaders of
    the format reject undeclared elements and attributes, so the one schema, ``file``, does as well.
    """

    file: str
    closed: str = ""
    tag: str = ""
    include: str = ""
    strict: bool = False
    mappings: frozenset[str] = frozenset()
    imports: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Reader:
    """The functions that read a format, in the order in which they run, and its printer.

    ``parse``: text to tree; ``expand`` resolves includes, macros and short forms; ``bind``: tree to
    document; ``to_robot``: document to robot, to a scene of several robots, or to None when it describes
    none. ``print`` is the inverse of ``parse``: with the source, it keeps everything but white space.
    ``propose_fix`` returns the fix of a finding that the checks of the robot made, which know no text;
    it also gets the syntax trees that were read.
    """

    parse: Callable[[Source, Context], Value]
    expand: Callable[[Value, Context], Node]
    bind: Callable[[Node, Context], Document]
    to_robot: Callable[[Document, Context], Robot | Scene | None]
    print: Callable[[Value, Source | None], str]
    propose_fix: Callable[[Finding, Iterable[Value]], ProposedFix | None] = lambda finding, trees: None


@dataclass(frozen=True, slots=True, kw_only=True)
class Writer:
    """The functions that write a format, in the order in which they run, and what it can hold.

    ``changes`` converts a robot to what the format can say; ``from_robot`` makes its document; ``carry``
    adds lines of text at the document's own place for extensions (the side-car); ``tag`` is the tag of
    the root element; ``spell`` puts a document into the notation of the one that its robot was read from,
    where that is another one; ``arrange`` sorts the items of the finished tree as people expect them.
    ``cannot`` are the facts that the format cannot say. Shapes that it does not hold (``holds``) are
    exported as mesh files, in one of the kinds ``meshes`` that its loaders open; ``opens`` tells of the
    content of a mesh file whether they make of it what unibody does. ``unopened`` tells of
    the suffix of a mesh file, and whether it is STL in text, what those programs do that do not open
    it, "" if all do. ``refused`` warns of what programs refuse of a robot that is written: they open none
    of the file. With ``single``, a mesh file has one object of one material: each part of an
    exported shape is a shape. ``models`` replaces this export for
    a format whose shapes are always in other files, or that takes no mesh files.
    ``framed`` are the frames that are written as links behind fixed joints, for a format without frames.
    ``schemes`` are the URI schemes that its loaders resolve. ``complete``: its loader rejects a model that
    refers to a missing file, so that shapes and textures with missing files are left out. ``derives``: its
    loaders derive masses that a file does not state from shapes. ``as_loaded``
    changes a robot that unibody read to what the format's own loader makes of the file, where that is
    less: the difference is a loss that the file carries. With ``one_name``, a joint is called as the link
    that it moves: joints are compared with those of the source by that link. ``extensions`` are the items
    of the robot that are written as elements which most other programs ignore. ``warns`` are codes of notes
    of reading that become warnings in the report, because this format's loaders read the source otherwise.
    ``unusable`` are codes of warnings of reading about elements that the loaders reject and that are left
    out, or read with another value: a text that has them is not kept. ``configured``
    returns the writer for options of the format; its ``requested`` puts into the robot what the options
    add to it, so that this is no loss, and ``anew`` tells why they need another text than that of the
    source, "" if they do not. ``rejects`` returns what the format's loader would reject of a
    robot, with remedies: nothing is written then. ``settles`` names the loops whose anchors are moved to
    where closing the loops leaves them, since the loader holds them by force. ``beside`` returns the texts
    of further files beside the model file with the given name, by name, from the robot that this says, and
    from the document of its text, None if that is not at hand.
    ``pack`` returns the bytes of a model file at a path that is not one text, from its document, and adds
    the files that it refers to.
    ``unsaid`` is a robot without the pairs of links that its own kept elements exclude: no file that
    completes the model has to. ``completion`` is that of a format that completes another one.
    ``from_scene`` makes the document of several lowered robots, with the lines of the side-car of each;
    None for a format whose files hold one robot: it gets those of a scene as one. ``alone`` is the robot
    of a scene whose others are its surroundings in the format; None for other scenes.
    """

    changes: Callable[[Robot], Robot]
    from_robot: Callable[[Robot], Document]
    carry: Callable[[Document, list[str]], None]
    cannot: tuple[Cannot, ...]
    holds: Callable[[Shape], bool]
    meshes: tuple[str, ...]
    opens: Callable[[Shape, bytes], bool] = lambda shape, data: True
    unopened: Callable[[str, bool], str] = lambda suffix, is_text: ""
    refused: Callable[[Robot], list[Finding]] = lambda robot: []
    single: bool = False
    tag: str = ""
    spell: Callable[[Document, Document], None] = lambda document, source: None
    arrange: Callable[[Node], None] = lambda _: None
    models: Callable[[Robot, AssetStore], Robot] | None = None
    framed: Literal["none", "used", "all"] = "none"
    schemes: tuple[str, ...] = ("file",)
    complete: bool = False
    derives: bool = False
    as_loaded: Callable[[Robot], Robot] = lambda robot: robot
    one_name: bool = False
    warns: frozenset[str] = frozenset()
    unusable: frozenset[str] = frozenset()
    extensions: tuple[Cannot, ...] = ()
    configured: Callable[[Mapping[str, str]], Writer] | None = None
    requested: Callable[[Robot], Robot] = lambda robot: robot
    anew: Callable[[Robot], str] = lambda robot: ""
    rejects: Callable[[Robot], list[Finding]] = lambda robot: []
    settles: Callable[[Robot], Collection[str]] = lambda robot: ()
    beside: Callable[[str, Robot, Document | None], Mapping[str, str]] = lambda name, robot, document: {}
    unsaid: Callable[[Robot], Robot] = lambda robot: robot
    pack: Callable[[Document, AssetStore, str], bytes] | None = None
    completion: Completion | None = None
    from_scene: Callable[[Scene, Sequence[list[str]]], Document] | None = None
    alone: Callable[[Scene], Robot | None] = lambda scene: None


@dataclass(frozen=True, slots=True, kw_only=True)
class Completion:
    """What a file says that completes a file of another format, which is about the same robot.

    ``subject`` names it in messages; ``says`` tells whether a robot has any of it. ``about`` returns the
    part of a robot that such a file is written from and compared with, ``without`` that part without what
    the file says: the file is read back on top of it.
    """

    subject: str
    says: Callable[[Robot], bool]
    about: Callable[[Robot], Robot]
    without: Callable[[Robot], Robot]


def _new_budget() -> Budget:
    from unibody.formats.budget import Budget

    return Budget()


@dataclass(slots=True)
class Context:
    """Inputs of a reader's functions besides the text.

    ``path`` is the file being read; ``load_robot`` reads another model file that this one refers to, in
    its own format; ``open`` are the files being read, to find cycles; ``options`` are the values of the
    ``read_options`` of formats, ``declared`` the names in mappings among them that a reader knows, with
    their defaults as written, None for those without one, collected across the files of one load; with
    ``watch`` the documents note which fields are read (``document/unread.py``); with ``plain`` the
    side-car is ignored, with ``alone`` the files of other formats that complete the model; ``base`` is the
    base that the caller asks for, whatever the file says, and ``meshes`` how mesh files are read.
    ``complete`` adds what files of other formats say about a robot, before its side-car is applied;
    ``completed`` is the robot that a file is about whose format completes another one, where the caller
    has it. ``findings``, ``documents`` (all documents bound so far, of this file and of those it refers
    to), ``beside`` (the paths of the files of other formats about the same robot, with their formats) and
    ``budget`` are collected across the files of one load.
    """

    path: str
    files: Files
    findings: Findings
    load_robot: Callable[[str, Context], Robot | None]
    watch: bool = False
    open: tuple[str, ...] = ()
    options: Mapping[str, Any] = field(default_factory=dict)
    declared: dict[str, str | None] = field(default_factory=dict)
    documents: list[Document] = field(default_factory=list)
    beside: dict[str, str] = field(default_factory=dict)
    budget: Budget = field(default_factory=_new_budget)
    plain: bool = False
    alone: bool = False
    base: Base | None = None
    meshes: MeshReading | None = None
    complete: Callable[[Robot], Robot] | None = None
    completed: Robot | None = None


#: What becomes of a thing that a format cannot represent as it is: "lost", programs that read the format
#: have it no more; "converted", the file has it in other terms; "assumed", the file states what the source
#: leaves open; "omitted", it has no meaning there: elements for other programs, files that are missing.
Outcome = Literal["lost", "converted", "assumed", "omitted"]
OUTCOMES: tuple[Outcome, ...] = get_args(Outcome)


@dataclass(frozen=True, slots=True)
class Cannot:
    """One thing that a format cannot represent: its name, the facts that change, and the reason.

    ``path`` is a path of ``facts``, where * matches one part and a final ** any rest; ``when`` narrows it
    down by the values before and after, ``of`` by the joint, shape, link, device or loop that has the
    fact, for a frame by the device with its name. Rows of several formats with the same ``what`` share a
    line of ``docs/capabilities.md``.
    ``quantity`` is the quantity of the verification that deviates for this reason: "mass", "inertia",
    "limits", "bounds", "positions", those of links below the joint, or "frames", their poses.
    ``outcome`` is what becomes of the thing.
    """

    what: str
    path: str
    why: str
    when: Callable[[Any, Any], bool] | None = None
    of: Callable[[Any], bool] | None = None
    quantity: str = ""
    outcome: Outcome = "lost"


class AssetStore(Protocol):
    """The assets of a model being written, for a format whose shapes are files of its own."""

    def add(self, data: bytes, name: str, suffix: str) -> str:
        """Add a file and return its path; equal content is one file."""
        ...

    def uri(self, path: str) -> str:
        """The URI of a file in the model."""
        ...

    def beside(self, path: str) -> str:
        """The path of a file relative to the asset folder."""
        ...

    def content(self, path: str) -> bytes:
        """The content of a file of the model."""
        ...

    def image(self, texture: Texture) -> str:
        """The path of an image relative to the asset folder, "" if there is no file."""
        ...

    def texture(self, texture: Texture) -> Texture:
        """A texture with the URI of its image in the model."""
        ...

    def kept(self, shape: Shape) -> bool:
        """Whether the document can hold a shape as it is, assuming that its mesh file exists."""
        ...

    def meshes(self, shape: Shape) -> tuple[Shape, ...]:
        """A shape as triangles, one Mesh per material."""
        ...
