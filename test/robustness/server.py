# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How does a command of `tilewright` end? Asks the program command_server, which executes
each command in a process of its own."""

import json
import os
import pathlib
import subprocess
import sys
from dataclasses import dataclass

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts"))

from mutate import ENVIRONMENT

MEMORY = 4 << 30  # bytes for one command


@dataclass
class Ending:
    kind: str  # exit, signal, timeout, failed
    number: int
    out: str
    err: str

    def is_exit(self, *statuses: int) -> bool:
        return self.kind == "exit" and self.number in statuses

    @property
    def is_out_of_memory(self) -> bool:
        """It said so in a line and ended by itself (docs/running.md)."""
        return self.is_exit(2) and "memory" in self.err

    def __str__(self) -> str:
        said = [line for line in self.err.splitlines()
                if "ERROR" in line or "runtime error" in line or "Assertion" in line]
        said = said or self.err.splitlines()[-1:]
        return f"{self.kind} {self.number}: {''.join(said[:1])[:300]}"


class Server:
    def __init__(self, program: pathlib.Path, folder: pathlib.Path, sanitized: bool):
        self.output = folder / "command"
        # A sanitizer reserves terabytes of addresses, and watches the memory itself.
        limit = [] if sanitized else [str(MEMORY)]
        self.process = subprocess.Popen(
            [program, *limit], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
            env=ENVIRONMENT | {"TILEWRIGHT_CACHE_DIR": str(folder / "cache")})

    def run(self, *arguments, seconds: int) -> Ending:
        request = {"arguments": [str(a) for a in arguments], "seconds": seconds,
                   "output": str(self.output)}
        self.process.stdin.write(json.dumps(request) + "\n")
        self.process.stdin.flush()
        kind, _, number = self.process.stdout.readline().strip().partition(" ")
        if not kind:
            raise RuntimeError("command_server ended")
        return Ending(kind, int(number or 0), *(self.text_of(end) for end in (".out", ".err")))

    def text_of(self, ending: str) -> str:
        with open(f"{self.output}{ending}", "rb") as file:
            return file.read(1 << 22).decode(errors="replace")

    def close(self) -> None:
        self.process.stdin.close()
        self.process.wait()
