#!/usr/bin/python3
"""values.py REPORT STEP RUN <GDB-OUTPUT: what gdb displays is what the report says; prints how many values were compared."""
import json
import re
import sys


def gdb_value(text):
    text = re.sub(r'^\([^)]*\) (?=0x)', '', text.strip())
    text = re.sub(r'^0x[0-9a-f]+ (<[^>]*> )?(?=")', '', text)
    return {'0x0': 'NULL'}.get(text, text).replace("'\\000'", "'\\0'")


step = json.load(open(sys.argv[1]))['steps'][int(sys.argv[2]) - 1]
values = [step] + step.get('with', [])
output = sys.stdin.read()
# What gdb has no name for, or would have to call a function for, is told.
for value in [v for v in values if re.search(r'return value|\w\(', v['variable'])]:
    assert f'{value["variable"]} is {value[sys.argv[3]]} in the report; gdb has no name for it\n' in output, value
    values.remove(value)
shown = re.findall(r'^\d+: (.*)$', output, re.M)
assert len(shown) == len(values), (shown, [v['variable'] for v in values])
count = 0
for line, value in zip(shown, values):
    want = value[sys.argv[3]]
    got = gdb_value(line[line.rindex(' = ') + 3:])
    if got.startswith('0x') or want.startswith('&'):
        continue  # a pointer: gdb has its address, the report what it points to
    want = {'true': '1', 'false': '0'}.get(want, want) if value.get('kind') == 'branch' else want
    # Of a character gdb has the number, too.
    assert want in (got, re.sub(r"^-?\d+ (?=')", '', got)), f'gdb: {line}; report: {value["variable"]} = {want}'
    count += 1
print(count)
