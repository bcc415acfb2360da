# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks a SARIF 2.1.0 log for what services require. Comments give the section with the requirement.

    sarif.py FILE

Tests that check more of a log import `read`.
"""

import json
import re
import sys

LEVELS = {"none", "note", "warning", "error"}
URI = re.compile(r"(file:///)?([A-Za-z0-9._~/-]|%[0-9A-F]{2})+")


def read(path: str) -> dict:
    """The only run of a valid log."""
    log = json.load(open(path))
    assert log["version"] == "2.1.0" and log["$schema"].endswith("sarif-schema-2.1.0.json")  # 3.13
    [run] = log["runs"]
    driver = run["tool"]["driver"]  # 3.14.6
    assert driver["name"] == "tilewright" and driver["version"].count(".") == 2  # 3.19
    ids = [rule["id"] for rule in driver["rules"]]
    assert len(set(ids)) == len(ids), ids  # 3.19.23: unique
    for rule in driver["rules"]:
        check_rule(rule)
    for invocation in run["invocations"]:
        assert isinstance(invocation["executionSuccessful"], bool)  # 3.20.14
        assert isinstance(invocation["exitCode"], int)
    for result in run["results"]:
        check_result(result, ids)
    return run


def check_rule(rule: dict):
    assert rule["id"] and rule["shortDescription"]["text"], rule  # 3.49
    assert rule.get("help", {"text": "-"})["text"], rule
    assert rule.get("defaultConfiguration", {"level": "error"})["level"] in LEVELS, rule


def check_result(result: dict, ids: list[str]):
    assert result["ruleId"] == ids[result["ruleIndex"]], result  # 3.27.5, 3.27.6
    assert result["level"] in LEVELS and result["message"]["text"], result  # 3.27.10, 3.27.11
    for location in result["locations"]:
        check_location(location)
        for logical in location.get("logicalLocations", []):
            assert logical["name"] and logical["kind"] == "function", logical  # 3.33
    related = result.get("relatedLocations", [])
    numbers = [location["id"] for location in related]
    assert len(set(numbers)) == len(numbers), numbers  # 3.28.2
    for location in related:
        check_location(location)
        assert location["message"]["text"], location


def check_location(location: dict):
    physical = location["physicalLocation"]
    assert URI.fullmatch(physical["artifactLocation"]["uri"]), physical  # 3.4.3
    region = physical.get("region")
    if region is None:
        return
    assert ("startLine" in region) != ("byteOffset" in region), region  # 3.30.4
    assert region.get("startLine", 1) >= 1 and region.get("startColumn", 1) >= 1, region
    assert region.get("byteOffset", 0) >= 0, region


if __name__ == "__main__":
    read(sys.argv[1])
