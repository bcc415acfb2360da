# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Opens the pages that `tilewright explore --html` makes of thirteen kernels in a headless Chromium, and uses them as a
reader does: clicks, keys, the slider. Expected values come from the JSON document, read independently in Python, or
were worked out by hand.
"""

import argparse
import json
import pathlib
import sys
import tempfile

import checks
import live
from chromium import Chromium, ScriptError
from functions import FUNCTIONS
from kernels import KERNELS, ROOT, make_page

ASSETS = ROOT / "tilewright/api/explore/page"
sys.path.append(str(ASSETS.parent))
import embed_page  # noqa: E402

LARGEST_PAGE = 5_000_000  # bytes


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--programs", type=pathlib.Path, default=pathlib.Path("build/bin"), help="the folder (%(default)s)")
    parser.add_argument("--assets", action="store_true", help="make pages from the assets in the source tree, not the built ones")
    parser.add_argument("--only", metavar="NAME", help="one of the kernels")
    parser.add_argument("--keep", type=pathlib.Path, metavar="FOLDER", help="keep pages, documents and screenshots there")
    arguments = parser.parse_args()

    failures = []
    with tempfile.TemporaryDirectory(prefix="explore-") as temporary, Chromium() as browser:
        folder = arguments.keep or pathlib.Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        chosen = [kernel for kernel in KERNELS if arguments.only in (None, kernel.name)]
        if not chosen:
            parser.error(f"--only: expected one of {', '.join(kernel.name for kernel in KERNELS)}")
        for kernel in chosen:
            found = test_kernel(browser, kernel, arguments, folder)
            print(f"{kernel.name}: {len(found)} failures")
            failures += [f"{kernel.name}: {failure}" for failure in found]
            if arguments.keep:
                browser.screenshot(folder / f"{kernel.name}.png")
        failures += test_functions(browser)
        failures += test_live(browser, arguments, folder)
    print("\n".join([*failures, f"explore: {len(failures)} failures"]))
    return 1 if failures else 0


def test_kernel(browser, kernel, arguments, folder) -> list[str]:
    """Each check starts with a page that was just opened."""
    try:
        page, document = make_page(arguments.programs / "tilewright", kernel, folder)
    except AssertionError as error:
        return [str(error)]
    if arguments.assets:
        html = embed_page.page(ASSETS)
        page.write_text(html.replace("<!--DATA-->", json.dumps(document).replace("<", "\\u003c")))
    failures = []
    if page.stat().st_size > LARGEST_PAGE:
        failures.append(f"expected a page of at most {LARGEST_PAGE} bytes, but it has {page.stat().st_size}")
    for check in [*checks.EVERY_PAGE, *checks.OF_KERNEL.get(kernel.name, [])]:
        browser.use_dark_theme(False)
        browser.open(page)
        try:
            check(browser, kernel, document)
        except (AssertionError, ScriptError) as error:
            failures.append(f"{check.__name__}: {error}")
        except KeyError as error:
            failures.append(f"{check.__name__}: the document has no member {error}")
        failures += [f"{check.__name__}: the console reports {error}" for error in browser.errors]
    return failures


def test_live(browser, arguments, folder) -> list[str]:
    try:
        live.check(browser, arguments.programs / "tilewright", folder)
    except (AssertionError, ScriptError) as error:
        return [f"served page: {error}"]
    finally:
        print("served page: done")
    return []


def test_functions(browser) -> list[str]:
    """In the page that was opened last."""
    failures = []
    for expression, expected in FUNCTIONS:
        try:
            value = browser.run(expression)
        except ScriptError as error:
            value = str(error)
        if value != expected:
            failures.append(f"{expression}: expected {expected}, but got {value}")
    print(f"functions: {len(failures)} failures of {len(FUNCTIONS)}")
    return failures


if __name__ == "__main__":
    sys.exit(main())
