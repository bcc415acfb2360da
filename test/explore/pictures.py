# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Draws the pictures of docs/explore.md and README.md: pages of kernels in headless Chromium. Look at the result before
you commit it: fonts differ between machines.

    pictures.py [PROGRAMS]    (build/bin)
"""

import pathlib
import sys
import tempfile

from chromium import Chromium
from kernels import KERNELS, ROOT, make_page

# The kernel, what to click one after the other, the part of the page, and the height of the window.
PICTURES = {
    "explore": ("total", ["#panel-findings .finding .actions button:nth-child(4)"], "html", 800),
    "explore-cost": ("attention", ["#tab-cost"], "#side", 1360),
    "explore-compare": ("rows", ["#tab-compare", "#panel-compare .lines tr:nth-last-child(3)"], "#side", 1420),
}


def main() -> None:
    tilewright = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ROOT / "build/bin") / "tilewright"
    kernels = {kernel.name: kernel for kernel in KERNELS}
    for picture, (name, buttons, part, height) in PICTURES.items():
        with tempfile.TemporaryDirectory() as folder, Chromium(height=height) as browser:
            browser.use_dark_theme(False)
            page, _ = make_page(tilewright, kernels[name], pathlib.Path(folder))
            browser.open(page)
            for button in buttons:
                browser.click(button)
            file = ROOT / f"docs/images/{picture}.png"
            browser.screenshot(file, part)
            print(f"{file.relative_to(ROOT)}: {file.stat().st_size / 1000:.0f} kB")


if __name__ == "__main__":
    main()
