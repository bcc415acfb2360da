# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`pytest --tile-check`: runs launches on the reference machine, and tells what kernels do wrong.

    pytest -p tilewright.pytest_plugin --tile-check            # all checks
    pytest -p tilewright.pytest_plugin --tile-checks=no-race   # a list of them

An installed package needs no `-p`.

Every launch of `tilewright.cutile.launch` that says neither `device` nor `check` is checked, and
with `-p tilewright.cutile` every `ct.launch`. A test whose kernel does something wrong fails, and
the summary lists the findings of all tests.
"""

from __future__ import annotations

import os
import textwrap

_findings: dict[str, list[str]] = {}
"""Texts of what a test's kernels did wrong."""


def pytest_addoption(parser):
    group = parser.getgroup("tilewright")
    group.addoption("--tile-check", dest="tile_checks", action="store_const", const="all",
                    help="run kernels of cuTile on Tilewright's reference machine, with all checks")
    group.addoption("--tile-checks", dest="tile_checks", metavar="CHECKS",
                    help="the same with a list of checks, as race,bounds or no-race")


def pytest_configure(config):
    if (checks := config.getoption("tile_checks")) is not None:
        os.environ["TILEWRIGHT_CHECK"] = checks


def pytest_runtest_makereport(item, call):
    findings = getattr(getattr(call.excinfo, "value", None), "findings", None)
    if findings and item.config.getoption("tile_checks") is not None:
        note(item.nodeid, [finding.text for finding in findings])


def note(test: str, texts: list[str]) -> None:
    """For the summary."""
    _findings[test] = texts


def pytest_terminal_summary(terminalreporter, config):
    if config.getoption("tile_checks") is None:
        return
    terminalreporter.section("kernels")
    if not _findings:
        terminalreporter.write_line(f"checked ({os.environ['TILEWRIGHT_CHECK']}): nothing found")
    for test, texts in _findings.items():
        terminalreporter.write_line(test)
        for text in texts:
            terminalreporter.write_line(textwrap.indent(text, "  "))
