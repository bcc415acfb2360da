# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Says what is in two reports of one command: `read_reports.py JSON SARIF PROCESSES`."""

import json
import pathlib
import sys

report, sarif = (json.loads(pathlib.Path(name).read_text()) for name in sys.argv[1:3])
processes = report["processes"]
assert len({process["process"] for process in processes}) == len(processes) == int(sys.argv[3])
print(f"launches {[process['launches'] for process in processes]}, findings",
      [(finding["check"], finding["count"], finding["launch"])
       for process in processes for finding in process["findings"]])
assert sarif["version"] == "2.1.0"
assert [run["invocations"][0]["processId"] for run in sarif["runs"]] == \
    [process["process"] for process in processes]
print(f"runs {len(sarif['runs'])}, results",
      [(result["ruleId"], result["occurrenceCount"]) for run in sarif["runs"]
       for result in run["results"]])
