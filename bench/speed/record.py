# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes measurements to a file in bench/results/, from which scripts/benchmark_page.py makes a table of
docs/benchmarks.md. bench/README.md describes the format.

A measurement replaces the data in an existing file, and keeps what describes the table.
"""

import datetime
import json
import os
import pathlib
import platform
import re
import shlex
import sys
import textwrap

# The keys that describe the table. The others are data.
TABLE = ("columns", "computed", "only_fastest", "summary", "views")
ROOT = pathlib.Path(__file__).resolve().parents[2]
EXTENSIONS = (("avx2", "AVX2"), ("avx512f", "AVX-512"), ("avx512_vnni", "VNNI"), ("avx512_bf16", "BF16"),
              ("amx_tile", "AMX"))


def write(file: pathlib.Path, data: dict, keep_table: bool = True) -> None:
    """Writes `data` with today's date, this processor and the command of this process. If `file` exists, its table
    is kept; the one in `data` is for a new file."""
    table = json.loads(file.read_text()) if keep_table and file.exists() else data
    new = {"processor": processor(), "date": datetime.date.today().isoformat(),
           "command": command(sys.argv),
           **{key: table[key] for key in TABLE if key in table},
           **{key: value for key, value in data.items() if key not in TABLE}}
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(as_text(new))


def as_text(data: dict) -> str:
    """JSON with one line for each row, column, note and result, so that a diff shows what has changed."""
    parts = []
    for key, value in data.items():
        if key == "cases":
            cases = [f'{json.dumps({**case, "results": 0})[:-2]}[\n   ' + lines(case["results"], "   ") + "]}"
                     for case in value]
            parts.append('"cases": [\n  ' + ",\n  ".join(cases) + "\n ]")
        elif key == "views":
            views = [f"{json.dumps(name)}: {as_text(view).strip()}" for name, view in value.items()]
            parts.append('"views": {\n' + textwrap.indent(",\n".join(views), "  ") + "\n }")
        elif isinstance(value, list) and value and key != "fields":
            parts.append(f"{json.dumps(key)}: [\n  " + lines(value, "  ") + "\n ]")
        else:
            parts.append(f"{json.dumps(key)}: {json.dumps(value, ensure_ascii=False)}")
    return "{\n " + ",\n ".join(parts) + "\n}\n"


def lines(values: list, indent: str) -> str:
    return f",\n{indent}".join(json.dumps(value, ensure_ascii=False) for value in values)


def command(words: list[str]) -> str:
    """The command as one would repeat it: relative to the repository, and without the name of the file."""
    program = pathlib.Path(words[0]).resolve()
    words = [str(program.relative_to(ROOT)) if program.is_relative_to(ROOT) else program.name, *words[1:]]
    if "--json" in words:
        del words[(at := words.index("--json")):at + 2]
    return shlex.join(word for word in words if not word.startswith("--json="))


def processor() -> str:
    """The name of this processor, its vector extensions, and how many of them this process may use."""
    try:
        text = pathlib.Path("/proc/cpuinfo").read_text()
    except OSError:
        text = ""
    found = dict(re.findall(r"^([^:\n]*?)\s*: (.*)$", text.split("\n\n")[0], re.MULTILINE))
    name = found.get("model name", platform.machine())
    if "cpu family" in found:
        name += f" (family {found['cpu family']}, model {found['model']})"
    flags = found.get("flags", "").split()
    words = [name, *(shown for flag, shown in EXTENSIONS if flag in flags)]
    count = len(os.sched_getaffinity(0))
    return f"{', '.join(words)}; {count} processor{'s' if count > 1 else ''}"
