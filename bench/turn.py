"""CPU time of Chromium's GPU process for each frame while the view turns.

`python -m bench.turn A.html B.html` opens pages of `unibody view --html` one after the other, ROUNDS
times, so that a busy machine is busy for all of them, and prints medians. Without graphics acceleration
the GPU process draws on the processor.
"""

from __future__ import annotations

import statistics
import sys
import time
from pathlib import Path

from unibody.page.chromium import Chromium, Page, find

FRAMES, ROUNDS = 20, 3
SIZE = (1366, 768)
HANG = 300.0
#: JavaScript: begin to turn the view by key presses, each once the frame of the last one is on the screen.
TURN = """(async () => {
  window.turned = 0;
  const canvas = document.querySelector("canvas");
  canvas.focus();
  for (let frame = 0; frame < FRAMES; frame++) {
    canvas.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowLeft", bubbles: true }));
    await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
    window.turned += 1;
  }
})(), true""".replace("FRAMES", str(FRAMES))
TURNED = f"window.turned === {FRAMES}"
READY = "window.unibody && window.unibody.status === 'ready' && window.unibody.first.at > 0"


def spent(browser: Chromium) -> float:
    """CPU seconds that the GPU process of a browser has used."""
    processes = browser.call("SystemInfo.getProcessInfo")["processInfo"]
    return sum(float(each["cpuTime"]) for each in processes if each["type"] == "GPU")


def settled(browser: Chromium) -> float:
    """The same, once it uses none for a while."""
    last = spent(browser)
    while True:
        time.sleep(0.6)
        now = spent(browser)
        if now - last < 0.02:
            return now
        last = now


def turning(page: Page, browser: Chromium) -> float:
    """CPU seconds for each frame, with what is drawn at the end while nothing moves."""
    begin = settled(browser)
    page.eval(TURN)
    page.wait(TURNED, HANG)
    return (settled(browser) - begin) / FRAMES


def opened(page: Page, file: Path) -> None:
    page.call("Page.navigate", url=file.resolve().as_uri())
    page.wait(READY, HANG)


def main(files: list[Path]) -> str | None:
    """Print a row for each page; returns an error message or None."""
    program = find()
    if program is None:
        return "Chromium is not installed"
    found: dict[Path, list[float]] = {file: [] for file in files}
    calls: dict[Path, object] = {}
    for _ in range(ROUNDS):
        for file in files:
            with Chromium(program) as browser:
                page = browser.page(*SIZE)
                opened(page, file)
                found[file].append(turning(page, browser))
                calls[file] = page.eval("window.unibody.drawn?.calls ?? null")
    for file, seconds in found.items():
        print(f"{file.stem:24} {statistics.median(seconds):.4f} s  draw calls {calls[file]}  {seconds}")
    return None


if __name__ == "__main__":
    sys.exit(main([Path(word) for word in sys.argv[1:]]))
