"""Programs with one small defect, for `hence fix`: see README.md. Run by the test.sh of a class.

	check.py FOLDER...

Each folder is a program. With HENCE_TEST_LONG the case itself is checked, too, and every patch is tried; without it
a few are, of different kinds.
"""

import collections
import json
import os
import re
import shlex
import shutil
import subprocess
import sys

LONG = bool(os.environ.get("HENCE_TEST_LONG"))
PATCHES = 100000 if LONG else 2
CLANG = os.environ["CLANG"]
FLAGS = ["-O0", "-g", "-w"]
# What a program does that has undefined behaviour is not for a patch to say.
SANITIZERS = (["-fsanitize=address,undefined", "-fno-sanitize-recover=all"], ["-fsanitize=memory"])

failures = []


class Complaint(Exception):
    pass


def read(path):
    with open(path, encoding="utf-8", newline="") as file:
        return file.read()


class Case:
    """A folder: what is built, how it is run, what is wrong with it."""

    def __init__(self, folder):
        self.folder = folder
        self.name = "/".join(folder.rstrip("/").split("/")[-2:])
        words = shlex.split(read(f"{folder}/command"))
        at = words.index("--")
        self.options, self.arguments = words[:at], words[at + 2:]
        self.library = read(f"{folder}/library").split() if os.path.exists(f"{folder}/library") else []
        # [0] is the failing run: arguments, standard input
        self.runs = [(self.arguments, self.option("--stdin"))]
        for option, value in zip(self.options, self.options[1:]):
            if option == "--pass":
                self.runs.append((shlex.split(value), None))
            if option == "--pass-stdin":
                self.runs.append((self.arguments, value))
        self.expected = self.option("--expect-text")
        if self.option("--expect"):
            self.expected = read(f"{folder}/{self.option('--expect')}")
        self.fault = read(f"{folder}/fault").split() if os.path.exists(f"{folder}/fault") else []
        self.kinds = read(f"{folder}/kind").split() if os.path.exists(f"{folder}/kind") else []

    def option(self, name):
        return self.options[self.options.index(name) + 1] if name in self.options else None

    def copy(self, place):
        shutil.copytree(self.folder, place)

    def build(self, place, compiler, flags=FLAGS):
        """False: it does not compile."""
        sources = sorted(f for f in os.listdir(place) if f.endswith(".c"))
        if self.library:
            made = subprocess.run([compiler, *flags, "-fPIC", "-shared", *self.library, "-o", "libpart.so"], cwd=place)
            sources = [s for s in sources if s not in self.library]
            sources += ["-L.", "-lpart", "-Wl,-rpath,$ORIGIN"]
            if made.returncode:
                return False
        return not subprocess.run([compiler, *flags, *sources, "-o", "prog", "-lm"], cwd=place).returncode

    def run(self, place, number):
        """Output and exit code of a run; the code of one that takes long is None."""
        arguments, stdin = self.runs[number]
        with open(f"{self.folder}/{stdin}" if stdin else "/dev/null", "rb") as file:
            try:
                done = subprocess.run(["./prog", *arguments], cwd=place, stdin=file, stdout=subprocess.PIPE,
                                      stderr=subprocess.DEVNULL, timeout=10)
                return done.stdout.decode("latin-1"), done.returncode
            except subprocess.TimeoutExpired:
                return "", None

    def passes(self, result):
        output, code = result
        return code == 0 and (self.expected is None or output == self.expected)


def sed(folder):
    for line in read(f"{folder}/fix").splitlines():
        name, script = line.split(" ", 1)
        subprocess.run(["sed", "-i", "-e", script, f"{folder}/{name}"], check=True)


def check_case(case):
    """It fails with clang, and the repaired program does not; both agree on the passing runs."""
    for kind in "plain", "fixed":
        case.copy(kind)
        if kind == "fixed":
            sed(kind)
        if not case.build(kind, CLANG):
            raise Complaint(f"the {kind} program does not compile")
    if case.passes(case.run("plain", 0)):
        raise Complaint("the program does not fail")
    if not case.passes(case.run("fixed", 0)):
        raise Complaint(f"the repaired program fails: {case.run('fixed', 0)}")
    for i in range(1, len(case.runs)):
        if case.run("plain", i) != case.run("fixed", i):
            raise Complaint(f"passing run {i} does not pass: {case.run('plain', i)}")


def kind_of(fix):
    return fix["edit"].split(":")[2]


def ask(case):
    """The report of hence fix, and its exit code."""
    case.copy("hence")
    if not case.build("hence", os.environ["HENCE_CC"]):
        raise Complaint("it does not compile with hence cc")
    done = subprocess.run([os.environ["HENCE"], "fix", "--json", "--all", *case.options, "--", "./prog", *case.arguments],
                          cwd="hence", stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    if done.returncode not in (0, 3):
        raise Complaint(f"exit code {done.returncode}: {done.stderr.decode()}")
    report = json.loads(done.stdout)
    if done.returncode != (0 if report["fixes"] else 3):
        raise Complaint(f"exit code {done.returncode} with {len(report['fixes'])} changes")
    return report


def check_lines(case, fixes):
    """The faulty line is the first, and has a change of the right kind."""
    lines = list(dict.fromkeys(f"{f['file']}:{f['line']}" for f in fixes))
    if not lines:
        raise Complaint("no change was found")
    if lines[0] not in case.fault:
        rank = min((lines.index(l) + 1 for l in case.fault if l in lines), default="none")
        raise Complaint(f"the first line is {lines[0]}, not {case.fault[0]} (which is {rank} of {len(lines)}: {lines[:6]})")
    for fix in fixes:
        if fix["after"] in ("left", "right"):
            raise Complaint(f"a change that is not said in C: {fix['edit']}")
    kinds = {kind_of(f) for f in fixes if f"{f['file']}:{f['line']}" in case.fault}
    if not kinds & set(case.kinds):
        raise Complaint(f"no change of the kind {'/'.join(case.kinds)} on the faulty line, only {' '.join(sorted(kinds))}")


def is_undefined(case, place, number):
    for flags in SANITIZERS:
        if case.build(place, CLANG, FLAGS + flags):
            _, code = case.run(place, number)
            if code in (1, 77, -6) or code is None:
                return True
    return False


def check_patch(case, fix, number):
    """The patched source, compiled by clang, behaves as the fix says. Returns what is wrong."""
    place = f"patched{number}"
    case.copy(place)
    done = subprocess.run(["patch", "-p0", "-s", "--fuzz=0"], cwd=place, input=fix["patch"].encode(), stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT)
    if done.returncode:
        return f"patch does not apply: {done.stdout.decode()}"
    if not case.build(place, CLANG):
        return "the patched program does not compile"
    tried = fix["tried_on"]
    now, before = case.run(place, 0), case.run("hence", 0)
    # Nobody said which exit status is right: that of the failing run may be.
    right = case.passes(now) or (case.expected is not None and now == (case.expected, before[1]))
    same = sum(case.run(place, i) == case.run("hence", i) for i in range(1, len(case.runs)))
    wrong = None
    if not right:
        wrong = f"patched, the failing run ends so: {case.run(place, 0)}"
    elif "--tests" not in case.options and (same, len(case.runs) - 1) != (tried["passing"], tried["passing_of"]):
        wrong = f"patched, {same} of {len(case.runs) - 1} passing runs are the same; hence says {tried['passing']} of {tried['passing_of']}"
    if wrong and any(is_undefined(case, place, i) for i in range(len(case.runs))):
        wrong = None
    shutil.rmtree(place)
    return wrong


def choose_patches(fixes):
    """A few, of different kinds, the best of each first."""
    seen = collections.Counter()
    ranked = []
    for i, fix in enumerate(fixes):
        if fix.get("patch"):
            seen[kind_of(fix)] += 1
            ranked.append((seen[kind_of(fix)], i, fix))
    return [fix for _, _, fix in sorted(ranked, key=lambda r: r[:2])][:PATCHES]


def check_patches(case, fixes):
    chosen = choose_patches(fixes)
    for number, fix in enumerate(chosen):
        wrong = check_patch(case, fix, number)
        if wrong:
            failures.append(case.name)
            print(f"{case.name}: {fix['edit']} at {fix['file']}:{fix['line']}:{fix['column']}: {wrong}")
            print(f"  - {fix['before']}\n  + {fix['after']}")
    return len(chosen)


def check(folder):
    case = Case(folder)
    place = case.name.replace("/", "-")
    os.mkdir(place)
    os.chdir(place)
    try:
        if LONG:
            check_case(case)
        fixes = ask(case)["fixes"]
        tried = check_patches(case, fixes)
        print(f"{case.name}: {len(fixes)} changes, {tried} patches tried")
        check_lines(case, fixes)
    except Complaint as complaint:
        failures.append(case.name)
        print(f"{case.name}: {complaint}")
    os.chdir("..")


def main():
    for folder in sys.argv[1:]:
        check(os.path.realpath(folder))
    if failures:
        print("failed:", *dict.fromkeys(failures))
    return bool(failures)


if __name__ == "__main__":
    sys.exit(main())
