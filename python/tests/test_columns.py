# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests that columns count from 1 in every kind of report (docs/decisions/python-columns.md)."""

import concurrent.futures
import importlib.util
import json
import os
import pathlib
import re
import subprocess
import sys

import numpy as np
import pytest
import tilewright
from tilewright import _files, cutile

KERNEL = """
import cuda.tile as ct
import numpy as np

@ct.kernel
def double(x, y):
    ct.store(y, (ct.bid(0),), ct.load(x, (ct.bid(0),), (16,)) * 2)
"""
SCRIPT = KERNEL + """
class OnDevice:
    def __init__(self, array):
        self.__cuda_array_interface__ = dict(array.__array_interface__, version=3)

x = np.ones((2, 32), np.float32)
ct.launch(0, (3,), double, (OnDevice(x[0]), OnDevice(x[1])))
"""
TEST = KERNEL + """
from tilewright import cutile

def test_double():
    x = np.ones((2, 32), np.float32)
    cutile.launch(3, double, (x[0], x[1]))
"""
LINE, TEXT = next((number, line) for number, line in enumerate(KERNEL.split("\n"), 1) if "ct.load" in line)
# Block 2 of two tiles loads, then stores.
PLACES = [(LINE, TEXT.index("ct.load") + 1), (LINE, TEXT.index("ct.store") + 1)]


@pytest.fixture
def source(tmp_path):
    path = tmp_path / "double.py"
    path.write_text(KERNEL)
    return path


@pytest.fixture
def kernel(source):
    spec = importlib.util.spec_from_file_location("double", source)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.double


@pytest.fixture
def arrays():
    return tuple(np.ones((2, 32), np.float32))


def run(*command, **options):
    return subprocess.run([str(word) for word in command], capture_output=True, text=True, **options)


def places_in(text, name):
    """The positions of the errors in a text report."""
    found = re.findall(rf"{re.escape(name)}:(\d+):(\d+): error: ", text)
    return [(int(line), int(column)) for line, column in found]


def places_in_json(path):
    return [(found["location"]["line"], found["location"]["column"])
            for found in json.loads(path.read_text())["findings"]]


def places_in_sarif(path):
    (run_,) = json.loads(path.read_text())["runs"]
    regions = [result["locations"][0]["physicalLocation"]["region"] for result in run_["results"]]
    return [(region["startLine"], region["startColumn"]) for region in regions]


@pytest.mark.parametrize("form", ["bytecode", "text"])
def test_the_command_line(form, kernel, source, arrays, tmp_path):
    program, report, sarif = (tmp_path / name for name in ("k.tileirbc", "r.json", "r.sarif"))
    program.write_bytes(cutile.export(kernel, arrays))
    tool = _files.find("bin/tilewright")
    if form == "text":
        text = run(tool, "print", "--locations", program)
        program = tmp_path / "k.mlir"
        program.write_text(text.stdout)
    array = ("--arg", "zeros(32xf32)", "--arg", "32", "--arg", "1")
    ended = run(tool, "run", program, "--grid", "3", "--check", "all", *array, *array, "--quiet",
                "--report", f"json={report}", "--report", f"sarif={sarif}", "--report", f"text={tmp_path}/r.txt")
    assert ended.returncode == 3, ended.stderr
    assert places_in(ended.stderr, str(source)) == PLACES
    assert places_in_json(report) == PLACES
    assert places_in_sarif(sarif) == PLACES
    assert places_in((tmp_path / "r.txt").read_text(), str(source)) == PLACES


def test_kernel_errors(kernel, source, arrays):
    with pytest.raises(tilewright.KernelError) as caught:
        cutile.launch(3, kernel, arrays, check=True)
    assert [(found.place.line, found.place.column) for found in caught.value.findings] == PLACES
    assert places_in(str(caught.value), str(source)) == PLACES


def test_exec(tmp_path):
    script, report, sarif = (tmp_path / name for name in ("script.py", "r.json", "r.sarif"))
    script.write_text(SCRIPT)
    ended = run(sys.executable, "-m", "tilewright", "--check=all", f"--report=json={report}",
                f"--report=sarif={sarif}", script)
    assert places_in(ended.stderr, str(script)) == PLACES
    (process,) = json.loads(report.read_text())["processes"]
    assert [(found["location"]["line"], found["location"]["column"])
            for found in process["findings"]] == PLACES
    assert places_in_sarif(sarif) == PLACES


def test_the_pytest_plugin(tmp_path):
    test = tmp_path / "test_double.py"
    test.write_text(TEST)
    ended = run(sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p",
                "tilewright.pytest_plugin", "--tile-check", test, cwd=tmp_path,
                env={**os.environ, "COLUMNS": "300"})
    summary = ended.stdout.split("= kernels =")[1].split("short test summary")[0]
    assert places_in(summary, str(test)) == PLACES, ended.stdout


def test_remarks(kernel, source, arrays):
    """Remarks are at the store and at other operations; no column is a 0-based one of `ast`."""
    remarks = tilewright.inspect(kernel, arrays).remarks
    found = [(int(line), int(column))
             for line, column in re.findall(rf"{re.escape(str(source))}:(\d+):(\d+): remark: ", remarks)]
    starts = {(LINE, TEXT.index(word) + 1) for word in ("ct.store", "ct.load(")}
    assert set(found) & starts and not any((line, column + 1) in starts for line, column in found)


def test_threads_may_report_at_once(kernel, source, arrays):
    """A kernel's locations are shared: displaying one must not change them."""
    compiled = cutile.compile(kernel, arrays, check=True)
    arguments = [value for array in arrays for value in (array, 32, 1)]

    def launch(_):
        with pytest.raises(tilewright.KernelError) as caught:
            compiled[3](*arguments)
        return places_in(str(caught.value), str(source))
    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        assert list(pool.map(launch, range(200))) == [PLACES] * 200


def test_a_finding_is_where_its_text_says():
    """Also in an inlined helper, which is reported at the line that calls it."""
    path = pathlib.Path(__file__).parents[2] / "test/sanitizer/dsl-helper-inlined.mlir"
    with pytest.raises(tilewright.KernelError) as caught:
        tilewright.load(path)["bug"].compile(check=True)[1](5, np.zeros(1, np.int32))
    assert caught.value.findings
    for finding in caught.value.findings:
        assert finding.text.startswith(f"{finding.place}: {finding.severity}: ")
