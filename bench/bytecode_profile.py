#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Profiles reading bytecode.

Samples bench_bytecode_scaling while it reads 100,000 operations, and attributes each sample to the innermost
frame of its call stack that names one of the jobs below: MLIR creates or verifies operations, or Tilewright
decodes. Needs Linux perf, and prints a message without it.
"""

import collections
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

PROGRAMS = pathlib.Path(os.environ.get("TILEWRIGHT_PROGRAMS", "build/bin"))
BENCHMARK = "^read/100000/"

# The job is the first match, from the innermost frame outwards. MLIR's work to create operations
# (with blocks and properties) counts as MLIR's, and so do creating a context and destroying
# everything; looking up types and attributes, which MLIR uniques, counts as ours.
JOBS = [
    ("verifying", r"mlir::verify|OperationVerifier"),
    ("making", r"mlir::Operation::(create|setInherentAttr|setPropertiesFromAttr|~|destroy|erase)"
               r"|mlir::OpBuilder|mlir::Block::|mlir::Region::|OwningOpRef"),
    ("decoding", r"tilewright::bytecode::"),
    ("context", r"MLIRContext::~?MLIRContext|makeContext|unique_ptr"),
]


def main() -> int:
    if not shutil.which("perf"):
        print("bytecode_profile: perf is not installed, nothing measured")
        return 0
    with tempfile.TemporaryDirectory() as folder:
        data = pathlib.Path(folder, "perf.data")
        recorded = subprocess.run(
            ["perf", "record", "-q", "-e", "cpu-clock:u", "-F", "199", "--call-graph", "dwarf,16384",
             "-o", data, PROGRAMS / "bench_bytecode_scaling", f"--benchmark_filter={BENCHMARK}"],
            capture_output=True, text=True)
        if recorded.returncode:
            print(f"bytecode_profile: perf cannot record here: {recorded.stderr.strip()[:200]}")
            return 0
        script = subprocess.run(["perf", "script", "-F", "ip,sym", "--no-inline", "-i", data], text=True,
                                capture_output=True, check=True).stdout
    return report(script)


def report(script: str) -> int:
    jobs, hot = collections.Counter(), collections.Counter()
    for sample in script.strip().split("\n\n"):
        frames = [re.sub(r"[<(].*", "", line.split(None, 1)[-1])
                  for line in sample.splitlines() if line.strip()]
        # Ignore samples in which the benchmark creates the file to read.
        if not any(frame.startswith("readAndVerify") for frame in frames):
            continue
        job = job_of(frames)
        jobs[job] += 1
        if job == "decoding":
            hot[frames[0]] += 1
    total = sum(jobs.values())
    if not total:
        print("bytecode_profile: no sample is from reading")
        return 1
    for job, samples in jobs.most_common():
        print(f"{job:10} {100 * samples / total:5.1f} %")
    for function, samples in hot.most_common(8):
        print(f"    {100 * samples / total:5.1f} %  {function}")
    print(f"decoding proper takes {100 * jobs['decoding'] / total:.0f} % of reading "
          f"100000 operations, by {total} samples")
    return 0


def job_of(frames: list[str]) -> str:
    for frame in frames:
        for job, names in JOBS:
            if re.search(names, frame):
                return job
    return "other"


if __name__ == "__main__":
    sys.exit(main())
