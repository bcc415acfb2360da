# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`pytest --tile-check`: runs launches on the reference machine, and reports kernel errors.

    pytest -p tilewright.pytest_plugin --tile-check            # all checks
    pytest -p tilewright.pytest_plugin --tile-checks=no-race   # selected checks

An installed package needs no `-p`.

Every `tilewright.cutile.launch` without `device` and `check` is checked; with `-p tilewright.cutile`
also every `ct.launch`. A test fails if its kernel makes an error, unless the test expects the error.
The summary lists the findings of all tests.
"""

from __future__ import annotations

import os
import textwrap

_PROPERTY = "tilewright findings"
"""A test property: the texts of its findings. pytest-xdist workers send properties to the main process."""

_found: list[str] = []
"""Findings that are not yet assigned to a test."""


def pytest_addoption(parser):
    group = parser.getgroup("tilewright")
    group.addoption("--tile-check", dest="tile_checks", action="store_const", const="all",
                    help="run kernels of cuTile on Tilewright's reference machine, with all checks")
    group.addoption("--tile-checks", dest="tile_checks", metavar="CHECKS",
                    help="the same with a list of checks, as race,bounds or no-race")


def pytest_configure(config):
    if (checks := config.getoption("tile_checks")) is not None:
        os.environ["TILEWRIGHT_CHECK"] = checks
        from tilewright import _records
        _records.watchers.append(lambda findings: note([finding.text for finding in findings]))


def note(texts: list[str]) -> None:
    """Records findings of the running test for the summary."""
    _found.extend(texts)


def pytest_runtest_makereport(item, call):
    if _found:
        item.user_properties.append((_PROPERTY, [*_found]))
        _found.clear()


def pytest_terminal_summary(terminalreporter, config):
    if config.getoption("tile_checks") is None:
        return
    terminalreporter.section("kernels")
    findings = _findings_of(terminalreporter.stats)
    if not findings:
        terminalreporter.write_line(f"checked ({os.environ['TILEWRIGHT_CHECK']}): nothing found "
                                    "in the schedules that ran")
    failed = {report.nodeid for outcome in ("failed", "error")
              for report in terminalreporter.stats.get(outcome, [])}
    for test, texts in findings.items():
        terminalreporter.write_line(test if test in failed else f"{test} (expected: the test passed)")
        for text in texts:
            terminalreporter.write_line(textwrap.indent(text, "  "))


def _findings_of(outcomes: dict[str, list]) -> dict[str, list[str]]:
    """Findings by test. Each report of a test contains those of the test's earlier reports."""
    found: dict[str, list[str]] = {}
    for report in (report for reports in outcomes.values() for report in reports):
        texts = [text for name, texts in getattr(report, "user_properties", ()) if name == _PROPERTY
                 for text in texts]
        if len(texts) > len(found.get(report.nodeid, ())):
            found[report.nodeid] = texts
    return found
