#!/usr/bin/python3
"""Checks SARIF logs of hence: by sarif.schema.json, which is stricter than the standard; by the standard's own schema if
HENCE_SARIF_SCHEMA names a copy of it; and by what schemas cannot say.

	check_sarif.py FILE...
"""
import json
import os
import re
import sys

import jsonschema


def no_duplicates(pairs):
    keys = [key for key, _ in pairs]
    assert len(keys) == len(set(keys)), f"twice: {keys}"
    return dict(pairs)


def read(path):
    with open(path, encoding="utf-8", errors="strict") as file:
        return json.load(file, object_pairs_hook=no_duplicates)


def objects(value):
    """All objects in it, itself included."""
    if isinstance(value, dict):
        yield value
    for part in value.values() if isinstance(value, dict) else value if isinstance(value, list) else []:
        yield from objects(part)


def check_places(run):
    """Artifacts are what their indices say, each is used, and no text is of another line than its region."""
    named = [artifact["location"] for artifact in run["artifacts"]]
    used = set()
    for place in objects(run):
        if "uri" in place and "index" in place:
            assert named[place["index"]] == place, f"artifact {place['index']} is another one: {place}"
        if "artifactLocation" not in place:
            continue
        used.add(place["artifactLocation"]["index"])
        context = place.get("contextRegion")
        if context is None:
            continue
        region, line = place["region"], context["snippet"]["text"]
        assert region["startLine"] == context["startLine"]
        if "snippet" in region:
            units = line.encode("utf-16-le", "surrogatepass")[2 * (region["startColumn"] - 1):]
            assert units.decode("utf-16-le") == region["snippet"]["text"], (region, line)
            assert len(region["snippet"]["text"]) < len(line), "the context is no more than the region"
    assert used == set(range(len(named))), "artifacts that no place is in"


def check_fixes(result):
    """A fix replaces something by something else."""
    for fix in result.get("fixes", []):
        replacement = fix["artifactChanges"][0]["replacements"][0]
        region = replacement["deletedRegion"]
        assert region["startColumn"] < region["endColumn"] or "insertedContent" in replacement, fix


def check_links(result):
    """Each link leads to a related location; none comes from the program."""
    ids = [location["id"] for location in result["relatedLocations"]]
    assert ids == list(range(1, len(ids) + 1))
    link = re.compile(r"\[((?:[^][\\]|\\.)*)\]\(([^)]*)\)")
    targets = [target for _, target in link.findall(result["message"]["text"])]
    assert targets == [str(i) for i in ids[:5]], (targets, ids)
    for part in objects(result):
        messages = [part["message"]] if "message" in part else list(part.get("state", {}).values())
        for message in messages:
            assert message is result["message"] or not link.search(message["text"]), f"a link: {message}"


def snippets(result):
    return [part["snippet"] for part in objects(result) if "snippet" in part]


def check_flow(result):
    steps = result["codeFlows"][0]["threadFlows"][0]["locations"] if "codeFlows" in result else []
    assert "codeFlows" not in result or steps
    for step in steps:
        properties = step["properties"]
        essential = properties["transition"] or "observed" in properties
        assert step["importance"] == ("essential" if essential else "important")
        doubtful = not properties.get("proven") and "observed" not in properties
        assert ("(not proven)" in step["location"]["message"]["text"]) >= doubtful, step["location"]
        assert set(properties.get("reference", {})) <= set(step.get("state", {}))


def check(path):
    log = read(path)
    here = os.path.dirname(os.path.abspath(__file__))
    schemas = [os.path.join(here, "sarif.schema.json")]
    if os.environ.get("HENCE_SARIF_SCHEMA"):
        schemas.append(os.environ["HENCE_SARIF_SCHEMA"])
    for schema in schemas:
        jsonschema.validate(log, read(schema), format_checker=jsonschema.FormatChecker())
    run = log["runs"][0]
    result = run["results"][0]
    rules = [rule["id"] for rule in run["tool"]["driver"]["rules"]]
    assert len(rules) == len(set(rules))
    assert rules[result["ruleIndex"]] == result["ruleId"]
    incomplete = result["properties"]["verdict"] == "incomplete"
    assert run["invocations"][0]["executionSuccessful"] is not incomplete
    check_places(run)
    check_links(result)
    check_flow(result)
    check_fixes(result)


if __name__ == "__main__":
    for name in sys.argv[1:]:
        try:
            check(name)
        except (AssertionError, jsonschema.ValidationError, ValueError) as error:
            sys.exit(f"{name}: {error}")
