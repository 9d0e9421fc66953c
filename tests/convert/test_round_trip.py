"""The same robot gives the same bytes, in every format; A → B → A is in tests/losses/test_corpus.py."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.convert.models import every, whole
from tests.losses.corpus import TARGETS, models
from tests.shared import DEV

import unibody as ub
from unibody.conversion.pipeline import save

# Some of each kind, those with mesh files of all sorts among them.
FILES = [*every(40), *[p for p in models() if p.suffix == ".wrl"][::40], *DEV.glob("**/*.rob")]


def written(robot: ub.Robot, target: Path) -> dict[str, bytes]:
    save(robot, target, overwrite=True)
    folder = target.parent
    return {str(p.relative_to(folder)): p.read_bytes() for p in folder.glob("**/*") if p.is_file()}


@pytest.mark.slow
@pytest.mark.usefixtures("shared")
@pytest.mark.parametrize("name", TARGETS)
def test_the_same_bytes_each_time(name: str, tmp_path: Path) -> None:
    for k, path in enumerate(FILES):
        reading = ub.read(path)
        if not reading.ok or reading.robot is None:
            continue
        target = f"{path.stem}{TARGETS[name]}"
        try:
            first = written(reading.robot, tmp_path / f"{k}a" / target)
        except ub.SaveError as refused:
            if {f.code for f in refused.findings} != {"inertial-rejected"}:
                raise
            continue  # MuJoCo has no such inertia
        assert first == written(ub.load(path), tmp_path / f"{k}b" / target)
        # and again over what is there
        assert first == written(whole(path), tmp_path / f"{k}a" / target)
