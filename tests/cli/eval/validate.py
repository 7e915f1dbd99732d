"""Are manifests and results of `hence eval` as the schema says? validate.py SCHEMA [--bad] FILE...; with --bad none of them must be."""
import json
import sys

import jsonschema

schema = json.load(open(sys.argv[1]))
jsonschema.Draft202012Validator.check_schema(schema)
bad = sys.argv[2] == "--bad"
wrong = 0
for name in sys.argv[3 if bad else 2:]:
    document = json.load(open(name))
    kind = "results" if "eval_results" in document else "manifest"
    part = {"$defs": schema["$defs"], "$ref": "#/$defs/" + kind}
    errors = list(jsonschema.Draft202012Validator(part).iter_errors(document))
    if bad and not errors:
        print(name, "nothing is wrong with it")
    for error in [] if bad else errors:
        print(name, list(error.absolute_path), error.message[:500])
    wrong |= bad != bool(errors)
sys.exit(wrong)
