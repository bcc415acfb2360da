# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""report.py FILE: checks the JSON of a proof of gather.mlir (docs/prove.md)."""

import json
import pathlib
import sys

proof = json.loads(pathlib.Path(sys.argv[1]).read_text())
assert proof["entry"] == "gather" and proof["parameters"] == ["arg1", "arg2"], proof
index, value = proof["operations"]
assert index["kind"] == "access" and index["operation"] == "load_ptr_tko", index
assert index["verdict"] == "holds-if" and index["conditions"] == ["len(arg1) >= 1"], index
assert index["stopped_by"] is None and index["place"]["byte"] is not None, index
launch = index["counterexample"]
assert launch["grid"] == [1, 1, 1] and launch["arguments"][0] == "zeros(0xi32)", launch
assert "[bounds]" in launch["finding"] and launch["command"].startswith("tilewright run "), launch
assert value["verdict"] == "unknown" and value["conditions"] == [], value
assert value["stopped_by"]["operation"] == "load_ptr_tko", value
assert value["stopped_by"]["place"] == index["place"], value
assert proof["conditions"] == ["len(arg1) >= 1"], proof
