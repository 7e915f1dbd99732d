"""Changes saved reports at random, by the grammar that they have: keys, types, nesting, sizes, words.

The same number always gives the same report. mutated() is all that others need.
"""
import copy
import json
import random
import re

# What a report from elsewhere might want to be done. {away}: a directory in which nothing may come into being.
WORDS = [
    "", "-", "--", "@response", "-o", "-o{away}/o", "{away}/o", "-Wl,-Map={away}/map", "-Xclang", "-load", "-B", "-B.", "-x", "c",
    "-include", "/etc/passwd", "-I/", "-I", ".", "-L.", "-lm", "-l:x.so", "-DX", "-D", "X=1", "-O2", "-std=c11", "-Wall",
    "-save-temps", "-MD", "-MF{away}/deps", "-fplugin=./x.so", "-fuse-ld=./x", "--config=x", "-c", "-S", "limit.c", "./limit.c",
    "../work/limit.c", "/dev/zero", "/dev/stdin", "pipe.c", "link.c", "away/x", "away", "link", "text", "limit", "./limit",
    "/bin/sh", "LD_PRELOAD", "LD_PRELOAD=./x.so", "HENCE_SESSION", "TMPDIR", "PATH", "MODE", "LC_ALL=C", "TZ=:{work}/pipe.c",
    "touch {away}/touched", "\"$@\"", "\"$@\" >{away}/out", "exit 1", "main.argc", "system (\"touch {away}/s\")",
    "'system'(\"touch {away}/s\")", "argc <<= 1", "x\nshell touch {away}/shell", "$_shell(\"touch {away}/s\")", "a[0..4000000000]",
    "limit.c:13:2", "branch", "value", "tree", "compare", "next step", "run", "pass", "fail", "failing", "reference", "assert",
    "argument", "stdin", "file", "variable", "NULL", "?", "\x1b[31m", "\u2028", "%s%n", "../../../../x", "/", "a" * 300,
    "0" * 32, "f" * 32, "main:1:relational:slt", "capped:", "capped:0:deleted:", "capped@4294967295:1:x:", "main:99999999999.1:entry:x",
]
NEST = "@nest@" # is made lists and objects, so many deep, when the report is text
NUMBERS = [0, 1, 2, 3, 7, -1, 255, 65536, 2**31 - 1, 2**31, 2**32 - 1, 2**32, 2**53, 2**63 - 1, -2**63, 2**64, 1e300, -0.5, 0.001]


def places(tree, path=()):
    """All places below the top, as paths."""
    found = []
    items = tree.items() if isinstance(tree, dict) else enumerate(tree) if isinstance(tree, list) else ()
    for key, value in items:
        found.append(path + (key,))
        found += places(value, path + (key,))
    return found


def at(tree, path):
    for key in path:
        tree = tree[key]
    return tree


class Mutator:
    def __init__(self, reports, names):
        """`reports`: those that are changed. `names`: what {NAME} in a word stands for."""
        self.reports = reports
        self.names = names
        self.keys = sorted({p[-1] for r in reports for p in places(r) if isinstance(p[-1], str)})

    def word(self, rng):
        word = rng.choice(WORDS)
        for name, value in self.names.items():
            word = word.replace("{" + name + "}", value)
        return word

    def other(self, rng):
        """A value of any type."""
        kind = rng.randrange(9)
        if kind < 3:
            return self.word(rng)
        if kind < 5:
            return rng.choice(NUMBERS)
        if kind == 5:
            return {"base64": rng.choice(["", "/wAt", "!", "AAAA", "LW8="])}
        if kind == 6:
            return [self.word(rng) for _ in range(rng.randrange(4))]
        if kind == 7:
            return rng.choice([True, False, None, {}, []])
        report = rng.choice(self.reports)
        return copy.deepcopy(at(report, rng.choice(places(report))))

    def similar(self, rng, value):
        """A value of the same type."""
        if isinstance(value, bool):
            return not value
        if isinstance(value, (int, float)):
            return value + rng.choice([-1, 1]) if rng.random() < 0.4 else rng.choice(NUMBERS)
        if isinstance(value, str):
            return self.word(rng)
        if isinstance(value, list) and value:
            value = list(value)
            rng.shuffle(value)
            return value[: rng.randrange(len(value) + 1)]
        return self.other(rng)

    def change(self, rng, report):
        """Once, anywhere; half of the time in what is executed, opened or written."""
        top = ("recipe",) if "recipe" in report and rng.random() < 0.5 else ()
        all_places = places(at(report, top), top)
        if not all_places:
            report["recipe"] = self.other(rng)
            return
        path = rng.choice(all_places)
        parent, key = at(report, path[:-1]), path[-1]
        kind = rng.randrange(20)
        if kind < 9:
            parent[key] = self.similar(rng, parent[key])
        elif kind < 11:
            parent[key] = self.other(rng)
        elif kind < 12:
            del parent[key]
        elif kind < 13 and isinstance(parent, dict):
            parent[rng.choice(self.keys + [self.word(rng)])] = parent.pop(key)
        elif kind < 15 and isinstance(parent, dict):
            parent[rng.choice(self.keys)] = self.other(rng)
        elif kind < 17 and isinstance(parent, list):
            parent.insert(rng.randrange(len(parent) + 1), rng.choice([copy.deepcopy(parent[key]), self.other(rng)]))
        elif kind == 17 and isinstance(parent[key], (list, str)):
            parent[key] = parent[key] * rng.choice([0, 2, 3, 100, 1000])
        elif kind == 18 and rng.random() < 0.3:
            parent[key] = NEST + rng.choice(["1", "2", "10", "500", "3000"])
        elif "sources" in report.get("recipe", {}) and rng.random() < 0.5:
            report["recipe"]["sources"] = ["limit.c"] + [self.word(rng) for _ in range(rng.randrange(1, 4))]
        else:
            parent[key] = self.similar(rng, parent[key])

    def mutated(self, number):
        """The bytes of report `number`, and a generator for what else is to be chosen about it."""
        rng = random.Random(number)
        report = copy.deepcopy(rng.choice(self.reports))
        for _ in range(rng.choice([1, 1, 1, 2, 2, 4, 8])):
            if not isinstance(report.get("recipe", {}), dict):
                break
            self.change(rng, report)
        text = re.sub(f'"{NEST}([0-9]+)"', lambda m: '[{"steps":' * int(m[1]) + "1" + "}]" * int(m[1]), json.dumps(report))
        text = text.encode()
        if rng.random() < 0.04:
            where = rng.randrange(len(text))
            text = rng.choice([text[:where], text[:where] + bytes([rng.randrange(256)]) + text[where + 1:],
                               text[:where] + text[where // 2:]])
        return text, rng
