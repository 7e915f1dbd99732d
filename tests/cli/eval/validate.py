"""Are manifests and results of `hence eval` as the schema says? validate.py SCHEMA FILE..."""
import json
import sys

import jsonschema

schema = json.load(open(sys.argv[1]))
jsonschema.Draft202012Validator.check_schema(schema)
wrong = 0
for name in sys.argv[2:]:
    document = json.load(open(name))
    kind = "results" if "eval_results" in document else "manifest"
    part = {"$defs": schema["$defs"], "$ref": "#/$defs/" + kind}
    for error in jsonschema.Draft202012Validator(part).iter_errors(document):
        print(name, list(error.absolute_path), error.message[:500])
        wrong = 1
sys.exit(wrong)
