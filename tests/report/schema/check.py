"""Checks docs/report.schema.json itself, and reports against it: check.py SCHEMA REPORT..."""
import copy
import json
import sys

from jsonschema import Draft202012Validator

failures = 0


def complain(text):
    global failures
    failures += 1
    print(text)


def subschemas(schema, path="#"):
    """All schemas inside one, with where they are."""
    yield path, schema
    for key in ("properties", "$defs"):
        for name, inner in schema.get(key, {}).items():
            yield from subschemas(inner, f"{path}/{key}/{name}")
    for key in ("items", "if", "then", "else"):
        if key in schema:
            yield from subschemas(schema[key], f"{path}/{key}")
    for i, inner in enumerate(schema.get("anyOf", [])):
        yield from subschemas(inner, f"{path}/anyOf/{i}")


def check_schema(root):
    Draft202012Validator.check_schema(root)
    used = set()
    for path, schema in subschemas(root):
        if schema.get("type") == "object" and schema.get("additionalProperties") is not False:
            complain(f"{path}: allows keys that are not described")
        if "$ref" in schema:
            used.add(schema["$ref"].removeprefix("#/$defs/"))
        for name, inner in schema.get("properties", {}).items():
            named = root["$defs"].get(inner.get("$ref", "").removeprefix("#/$defs/"), {})
            text = inner.get("description") or named.get("description", "")
            if not text.endswith("."):
                complain(f"{path}/properties/{name}: is not described by a sentence")
    for name in root["$defs"]:
        if name not in used:
            complain(f"$defs/{name} is not used")


def shape(path):
    return ".".join("[]" if isinstance(key, int) else key for key in path)


def objects(value, path=()):
    """All objects of a report, with where they are."""
    if isinstance(value, dict):
        yield path
    for key, inner in value.items() if isinstance(value, dict) else enumerate(value):
        if isinstance(inner, (dict, list)):
            yield from objects(inner, path + (key,))


def at(value, path):
    for key in path:
        value = value[key]
    return value


def check_refused(validator, name, report):
    """A key that nobody described is refused, in one object of each kind."""
    seen = set()
    for path in objects(report):
        if shape(path) in seen:
            continue
        seen.add(shape(path))
        damaged = copy.deepcopy(report)
        at(damaged, path)["undescribed"] = 1
        if validator.is_valid(damaged):
            complain(f"{name}: {shape(path)}.undescribed is allowed")
    return seen


def main(schema_file, *files):
    with open(schema_file, encoding="utf-8") as file:
        root = json.load(file)
    check_schema(root)
    validator = Draft202012Validator(root)
    for name in files:
        with open(name, encoding="utf-8") as file:
            report = json.load(file)
        for error in validator.iter_errors(report):
            complain(f"{name}: {shape(error.absolute_path)}: {error.message[:200]}")
    smallest = min(files, key=lambda name: len(open(name, encoding="utf-8").read()))
    with open(smallest, encoding="utf-8") as file:
        seen = check_refused(validator, smallest, json.load(file))
    if len(seen) < 5:
        complain(f"{smallest} has only {len(seen)} kinds of objects")
    return 1 if failures else 0


sys.exit(main(*sys.argv[1:]))
