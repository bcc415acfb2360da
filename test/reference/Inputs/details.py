# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks that machine-readable reports contain iterations, severities and help texts.

    details.py JSON SARIF
"""

import json
import sys

[finding] = json.load(open(sys.argv[1]))["findings"]
assert finding["check"] == "bounds" and finding["level"] == "error", finding
assert finding["help"].startswith("compare the offset"), finding
loops = [(loop["number"], loop["induction_value"]) for loop in finding["iterations"]]
assert loops == [(1, 0), (3, 4)], finding
lines = [loop["location"]["line"] for loop in finding["iterations"]]
assert lines[1] == lines[0] + 1, finding

[run] = json.load(open(sys.argv[2]))["runs"]
[result] = run["results"]
rule = run["tool"]["driver"]["rules"][result["ruleIndex"]]
assert rule["id"] == "bounds" and rule["help"]["text"] == finding["help"], rule
texts = [related["message"]["text"] for related in result["relatedLocations"]]
assert texts == ["in iteration 1 of this loop, with induction value 0",
                 "in iteration 3 of this loop, with induction value 4"], texts
