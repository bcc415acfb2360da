# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`tilewright exec` and `python -m tilewright`: run an unmodified script that calls `ct.launch`."""

import contextlib
import json
import os
import re
import subprocess
import sys

import pytest
from tilewright import _progress

SCRIPT = """
import sys
import cuda.tile as ct
import numpy as np

class OnDevice:
    def __init__(self, array):
        self.__cuda_array_interface__ = dict(array.__array_interface__, version=3)

@ct.kernel
def add(x, y, z):
    i = ct.bid(0)
    ct.store(z, (i,), ct.load(x, (i,), (16,)) + ct.load(y, (i,), (16,)))

x, y, z = np.arange(64, dtype=np.float32), np.ones(64, np.float32), np.zeros(64, np.float32)
blocks = int(sys.argv[1])
ct.launch(0, (blocks,), add, (OnDevice(x), OnDevice(y), OnDevice(z)))
print((z == x + y).all())
"""


@pytest.fixture
def script(tmp_path):
    path = tmp_path / "script.py"
    path.write_text(SCRIPT)
    return path


def run(*command):
    return subprocess.run([str(word) for word in command], capture_output=True, text=True)


def exec_main(*arguments):
    code = "import sys; from tilewright import _exec; sys.exit(_exec.main(sys.argv[1:]))"
    return run(sys.executable, "-c", code, *arguments)


@pytest.mark.parametrize("options", [[], ["--device", "reference"], ["--check=race"], ["--threads=1"]],
                         ids=str)
def test_a_script_runs_as_it_is(script, options):
    for ended in (run(sys.executable, "-m", "tilewright", *options, script, 4),
                  exec_main(*options, "--", sys.executable, script, 4)):
        assert (ended.stdout, ended.stderr, ended.returncode) == ("True\n", "", 0)


@pytest.mark.parametrize("name", ["python", "python3"])
def test_a_bare_python_is_that_of_the_environment(name, tmp_path):
    """Without an active environment. The system's Python, which is first on the path here, is another one."""
    assert sys.prefix != sys.base_prefix
    (tmp_path / name).write_text("#!/bin/sh\necho another\n")
    (tmp_path / name).chmod(0o755)
    inactive = {key: value for key, value in os.environ.items() if key not in ("VIRTUAL_ENV", "CONDA_PREFIX")}
    inactive["PATH"] = f"{tmp_path}:/usr/bin:/bin"
    code = "import sys; from tilewright import _exec; sys.exit(_exec.main(sys.argv[1:]))"

    def prefix_of(program, **variables):
        ended = subprocess.run([sys.executable, "-c", code, program, "-c", "import sys; print(sys.prefix)"],
                               env=inactive | variables, capture_output=True, text=True)
        assert ended.returncode == 0, ended.stderr
        return ended.stdout.rstrip("\n")
    assert prefix_of(name) == sys.prefix
    assert prefix_of(tmp_path / name) == "another"
    assert prefix_of(name, VIRTUAL_ENV=str(tmp_path)) == "another"
    assert prefix_of(name, CONDA_PREFIX=str(tmp_path)) == "another"


ASKS_FOR_THE_PACKAGE = """
import importlib.metadata
import shutil
import nvidia.cu13
assert shutil.which("tileiras", path=nvidia.cu13.__path__[0] + "/bin")  # it is there
importlib.metadata.version("nvidia-nvvm")
"""


@pytest.fixture
def vendors_compiler(tmp_path, monkeypatch):
    """Simulates `pip install cuda-tile[tileiras]` as far as cuda-tile checks: a compiler whose output
    begins like a file for a GPU."""
    site = tmp_path / "site"
    compiler = site / "nvidia/cu13/bin/tileiras"
    compiler.parent.mkdir(parents=True)
    compiler.write_text(f"""#!{sys.executable}
import sys
if "--version" in sys.argv:
    print("tileiras of another", file=sys.stderr)
else:
    open(sys.argv[sys.argv.index("-o") + 1], "wb").write(b"\\x7fELF" + bytes(60))
""")
    compiler.chmod(0o755)
    for name in ("nvidia-cuda-tileiras", "nvidia-cuda-nvcc", "nvidia-nvvm"):
        folder = site / f"{name.replace('-', '_')}-13.4.1.dist-info"
        folder.mkdir()
        (folder / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 13.4.1\n")
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(site), os.environ.get("PYTHONPATH", "")]))
    monkeypatch.setenv("CUDA_TILE_CACHE_DIR", str(tmp_path / "cache"))
    return compiler


@pytest.mark.parametrize("options", [[], ["--check=all"], ["--arrays=none"]], ids=str)
def test_our_compiler_is_found_before_an_installed_one(options, script, vendors_compiler):
    script.write_text(ASKS_FOR_THE_PACKAGE + SCRIPT)
    ended = run(sys.executable, "-m", "tilewright", *options, script, 4)
    assert (ended.stdout, ended.stderr, ended.returncode) == ("True\n", "", 0)


def test_code_of_another_compiler_is_named(script, vendors_compiler):
    # -I ignores PYTHONPATH, and with it the installed package: the script adds the path itself.
    script.write_text(f"import sys; sys.path.insert(0, {str(vendors_compiler.parents[3])!r})\n" + SCRIPT)
    ended = exec_main(sys.executable, "-I", script, 4)
    assert ended.returncode != 0 and "by another compiler than Tilewright's tileiras" in ended.stderr


def test_what_its_kernel_does_wrong_is_named(script):
    ended = run(sys.executable, "-m", "tilewright", "--check=all", script, 5)
    assert f"{script}:13:" in ended.stderr and "block (4, 0, 0)" in ended.stderr
    assert "[index-space]" in ended.stderr


def test_reports_are_written_to_files(script, tmp_path):
    (tmp_path / "old").mkdir()
    report, sarif, coverage = (tmp_path / name for name in ("r.json", "old/r.sarif", "coverage"))
    sarif.write_text("of another run")
    ended = subprocess.run(
        [sys.executable, "-m", "tilewright", "--report=json=r.json", f"--report=sarif={sarif}",
         "--coverage=coverage", str(script), "5"], cwd=tmp_path, capture_output=True, text=True)
    assert ended.stdout == "True\n"  # without --device
    assert "without a synchronisation" in ended.stderr and ended.returncode == 1
    (process,), (run_,) = json.loads(report.read_text())["processes"], json.loads(sarif.read_text())["runs"]
    assert [finding["check"] for finding in process["findings"]] == ["index-space"] * 3
    assert {finding["location"]["line"] for finding in process["findings"]} == {13}
    assert [result["ruleId"] for result in run_["results"]] == ["index-space"] * 3
    assert coverage.read_text().startswith("coverage of add (@add_K")


LONG = """
import os
import re
import signal
import threading
import time
import cuda.tile as ct
import numpy as np

class OnDevice:
    def __init__(self, array):
        self.__cuda_array_interface__ = dict(array.__array_interface__, version=3)

@ct.kernel
def count(x, steps: int):
    if ct.bid(0) == 1:
        ct.printf("counting\\n")
        for _ in range(steps):
            ct.store(x, (0,), ct.load(x, (0,), (1,)) + 1)

x = np.zeros(1, np.int32)

def interrupt():
    while not x[0]:  # the kernel has not begun
        time.sleep(0.01)
    time.sleep(3)
    os.kill(os.getpid(), signal.SIGINT)

signal.signal(signal.SIGINT, signal.default_int_handler)
threading.Thread(target=interrupt, daemon=True).start()
try:
    ct.launch(0, (2,), count, (OnDevice(x), 10_000_000))
    print("ended")
except KeyboardInterrupt:
    print("interrupted")
"""


@pytest.mark.parametrize("options, shown", [(["--check=no-race"], True), ([], False)], ids=str)
def test_progress_on_a_terminal(options, shown, tmp_path):
    """The bar appears after two seconds on standard error, and is erased. Compiled code has none."""
    (tmp_path / "long.py").write_text(LONG)
    terminal, end = os.openpty()
    with subprocess.Popen([sys.executable, "-m", "tilewright", *options, tmp_path / "long.py"],
                          stdout=subprocess.PIPE, stderr=end, text=True) as process:
        os.close(end)
        drawn = b""
        with contextlib.suppress(OSError):  # the end of a terminal
            while more := os.read(terminal, 1000):
                drawn += more
        assert process.stdout.read() == "counting\n" + ("interrupted\n" if shown else "ended\n")
    os.close(terminal)
    if shown:
        first, *bars, last = drawn.decode().split("\r\033[K")
        assert first == "" and set(bars) == {_progress.bar(1, 2)} and "cancelled" in last
    else:
        assert drawn == b""


def test_a_report_without_findings(script, tmp_path):
    ended = exec_main(f"--report=json={tmp_path}/r.json", sys.executable, script, 4)
    assert (ended.stdout, ended.stderr, ended.returncode) == ("True\n", "", 0)
    (process,) = json.loads((tmp_path / "r.json").read_text())["processes"]
    assert (process["launches"], process["findings"]) == (1, [])


def test_memory_of_the_device():
    ask = "import ctypes; d = ctypes.CDLL('libcuda.so.1'); d.cuInit(0); n = ctypes.c_size_t(); " \
          "d.cuDeviceTotalMem_v2(ctypes.byref(n), 0); print(n.value)"
    ended = exec_main("--memory=3M", sys.executable, "-c", ask)
    assert (ended.stdout, ended.stderr, ended.returncode) == ("3145728\n", "", 0)


def test_wrong_usage():
    for arguments, message in (([], "expected a command"), (["--device", "tpu", "true"], "invalid choice"),
                               (["--device=cpu", "--check=all", "true"], "--device reference or ptx"),
                               (["--threads=0", "true"], "1..1024"),
                               (["--memory=8GB", "true"], "as 1000000, 512M or 8G, but got '8GB'"),
                               (["--memory=0", "true"], "but got '0'"),
                               (["--max-steps=0", "true"], "--max-steps must be in 1..2^63-1, but is 0"),
                               (["--device=cpu", "--max-steps=5", "true"], "needs --device reference"),
                               (["--report=x", "true"], "expected json=FILE or sarif=FILE"),
                               (["--report=text=x", "true"], "expected json=FILE or sarif=FILE"),
                               (["--device=cpu", "--coverage=x", "true"], "--device reference"),
                               (["--report=json=x", "--report=json=y", "true"], "one format"),
                               (["--report=json=x", "--coverage=./x", "true"], "the same file"),
                               (["--coverage=/no/such/folder/x", "true"], "No such file")):
        ended = exec_main(*arguments)
        assert ended.returncode == 2 and message in ended.stderr, arguments
    for variable, value, message in (
            ("DEVICE", "tpu", "TILEWRIGHT_DEVICE must be cpu, reference, ptx or gpu, but is 'tpu'\n"),
            ("MEMORY", "8GB", "TILEWRIGHT_MEMORY: expected a number of bytes")):
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv(f"TILEWRIGHT_{variable}", value)
            ended = exec_main("true")
        assert ended.returncode == 2 and message in ended.stderr
    ended = exec_main("no-such-command-at-all")
    assert ended.returncode == 127 and "no-such-command-at-all" in ended.stderr


@pytest.fixture
def program():
    """The program of the build tree, which is missing in tests of a wheel."""
    from tilewright import _files
    return _files.find("bin/tilewright")


def test_the_program_runs_it(program, script, monkeypatch):
    monkeypatch.setenv("PATH", os.path.dirname(sys.executable), prepend=os.pathsep)
    ended = run(program, "exec", "--device", "reference", "--check=all", sys.executable, script, 4)
    assert (ended.stdout, ended.stderr, ended.returncode) == ("True\n", "", 0)
    ended = run(program, "exec", "--", sys.executable, script, 4)
    assert (ended.stdout, ended.stderr, ended.returncode) == ("True\n", "", 0)
    ended = run(program, "exec", "--chek=all", sys.executable, script, 4)
    assert ended.returncode == 2 and "did you mean '--check'?" in ended.stderr
    ended = run(program, "exec")
    assert ended.returncode == 2 and "expected a command, as in" in ended.stderr


def test_the_program_says_where_the_package_comes_from(program, monkeypatch):
    monkeypatch.setenv("TILEWRIGHT_PYTHON", sys.executable)  # a Python without the package
    monkeypatch.delenv("PYTHONPATH", raising=False)
    ended = run(program, "exec", "true")
    assert ended.returncode == 2 and "pip install" in ended.stderr


def test_both_front_ends_have_the_same_options(program):
    """`tilewright exec` declares its options in C++, `python -m tilewright` declares them here."""
    options = [set(re.findall(r"^  (?:-h, )?(--[\w-]+)", run(*command, "--help").stdout, re.MULTILINE))
               for command in ((program, "exec"), (sys.executable, "-m", "tilewright"))]
    assert options[0] == options[1] and "--check" in options[0]
