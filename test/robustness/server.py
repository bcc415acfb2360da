# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs commands of `tilewright` through the program command_server, which executes each command in a
separate process."""

import json
import os
import pathlib
import subprocess
import sys
from dataclasses import dataclass

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts"))

from mutate import ENVIRONMENT

MEMORY = 4 << 30  # bytes per command


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
        """Whether it printed a message and exited by itself (docs/running.md)."""
        return self.is_exit(2) and "memory" in self.err

    def __str__(self) -> str:
        said = [line for line in self.err.splitlines()
                if "ERROR" in line or "runtime error" in line or "Assertion" in line]
        said = said or self.err.splitlines()[-1:]
        return f"{self.kind} {self.number}: {''.join(said[:1])[:300]}"


class Server:
    def __init__(self, program: pathlib.Path, folder: pathlib.Path, sanitized: bool):
        self.output = folder / "command"
        # Sanitizers reserve terabytes of address space, and limit memory themselves.
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
