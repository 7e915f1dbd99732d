"""Runs the commands that a document shows, and compares what they print with what it says they print.

	console.py [--update] DOCUMENT...

A block that begins with ```console has lines '$ COMMAND', each followed by its output. All commands of a document are given to
one shell, in order, so 'cd' lasts; it begins in a folder with copies of what README.md says a reader has: examples/ and
tests/explain/shellsort/. A command that ends in a backslash goes on in the next line. In the output

- a line '...' stands for any lines, also none;
- what differs from run to run and from machine to machine is made equal first: see NORMAL.

A block behind the comment <!-- not run --> is not run. Every other block with a line that begins with '$ ' must be one that is run.
Each ```c block must be lines of a file in examples/ or tests/explain/shellsort/, as they are there.

With --update, outputs without '...' are replaced by those of now: for writing a document, which a person reads afterwards.
"""
import difflib
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

SRC = os.environ.get("SRC") or os.path.dirname(os.path.dirname(os.path.dirname(os.path.realpath(__file__))))
HENCE = os.environ.get("HENCE") or os.path.join(SRC, "build", "hence")
COPIED = ["examples", "tests/explain/shellsort"]

# Searches share out the time that they have. On a busy machine they need more of it to find what the document shows, so
# this `hence`, first in PATH, gives those more that do not say --time themselves.
PATIENT = """#!/bin/bash
case " $1 $* " in
*" --time"*) ;;
" explain "* | " fix "*) exec {hence} "$1" --time 120 "${{@:2}}" ;;
esac
exec {hence} "$@"
"""

# What may differ: a pattern, and what stands for it. Applied to both texts.
NORMAL = [
    (r"\S*/hence-cc\b", "hence-cc"),
    (r"\b0x[0-9a-f]+\b", "0x..."),
    # A shell that reads from a file tells more of a signal than one at a terminal.
    (r"(?m)^\S+: line \d+: +\d+ (Segmentation fault|Aborted|Floating point exception).*$", r"\1"),
    (r"(Segmentation fault|Aborted|Floating point exception) \(core dumped\)", r"\1"),
    (r"\[experiments? \d+(, \d+)*", "[experiment N"),
    (r"(?<![\w\])])\[\d+(, \d+)*\]", "[N]"),
    (r"\b(\d+) of \1 experiments", "all N experiments"),
    (r"\b\d+ (experiment|test|passed|failed|unresolved|run)(s?)( on other input)?\b", r"N \1\3"),
    (r"\b\d+ of \d+ edits of the code", "N of N edits of the code"),
    (r"\b\d+ edits? tried of \d+", "N edits tried of N"),
    (r"\b\d+ edits: \d+ changes? nothing in the failing run, \d+ (was|were) run(, \d+ not tried)?",
     "N edits: N change nothing in the failing run, N were run"),
    (r"\b\d+ edits per second", "N edits per second"),
    (r"\b\d+\.\d+( seconds\b| s\b)", r"N\1"),
]


def fail(text):
    print("hence: " + text)
    sys.exit(2)


def normal(text):
    """The text without what may differ. The numbers at the end of a report are one line, since how it is wrapped depends on them."""
    text = re.sub(r"(?m)^\d+ (experiments?,|edits?:)[^\n]*(\n\S[^\n]*)*", lambda m: m.group().replace("\n", " "), text)
    for pattern, instead in NORMAL:
        text = re.sub(pattern, instead, text)
    return [line.rstrip() for line in text.splitlines()]


class Command:
    """One command of a document: its text, the lines of its output, and where these are."""

    def __init__(self, text, line):
        self.text, self.line = text, line
        self.first = self.last = line  # lines of the output, the second not included
        self.output = []


def blocks(lines):
    """Yields (kind, number of the line behind the fence, lines, whether it is marked as not run) for each block."""
    number, marked = 0, False
    while number < len(lines):
        fence = re.match(r"\s*```(\w*)", lines[number])
        if fence:
            end = number + 1
            while end < len(lines) and not re.match(r"\s*```\s*$", lines[end]):
                end += 1
            yield fence.group(1), number + 1, lines[number + 1:end], marked
            number, marked = end, False
        elif lines[number].startswith("\t"):
            end = number
            while end < len(lines) and (lines[end].startswith("\t") or not lines[end].strip()):
                end += 1
            yield "", number, [line[1:] for line in lines[number:end]], marked
            number, marked = end - 1, False
        elif lines[number].strip():
            marked = lines[number].strip() == "<!-- not run -->"
        number += 1


def commands_of(path, lines):
    commands = []
    for kind, first, body, marked in blocks(lines):
        if marked:
            continue
        if kind == "c":
            check_code(path, first, body)
        if kind != "console":
            if any(line.startswith("$ ") for line in body):
                fail(f"{path}:{first}: a block with a command is neither ```console nor marked <!-- not run -->")
            continue
        for i, line in enumerate(body):
            number = first + i
            if line.startswith("$ "):
                commands.append(Command(line[2:], number))
                commands[-1].first = commands[-1].last = number + 1
            elif not commands or commands[-1].line < first:
                fail(f"{path}:{number + 1}: output before any command")
            elif not commands[-1].output and commands[-1].text.endswith("\\"):
                commands[-1].text += "\n" + line
                commands[-1].first = commands[-1].last = number + 1
            else:
                commands[-1].output.append(line)
                commands[-1].last = number + 1
    return commands


def check_code(path, first, body):
    text = "\n".join(body) + "\n"
    for folder in COPIED:
        for where, _, names in os.walk(os.path.join(SRC, folder)):
            for name in names:
                if name.endswith((".c", ".h")) and text in open(os.path.join(where, name)).read():
                    return
    fail(f"{path}:{first}: no file in {' or '.join(COPIED)} has these lines:\n{text}")


def run(commands):
    """Runs them in one shell in a scratch folder; returns what each printed, and its exit code."""
    with tempfile.TemporaryDirectory() as scratch:
        root = os.path.join(scratch, "hence")
        for folder in COPIED:
            shutil.copytree(os.path.join(SRC, folder), os.path.join(root, folder))
        script = ["status=0\n"]
        for i, command in enumerate(commands):
            script.append(f"{{ (exit $status); {command.text}\n}} >{scratch}/{i}.out 2>&1 </dev/null; status=$?; echo $status >{scratch}/{i}.status\n")
        name = os.path.join(scratch, "commands")
        with open(name, "w") as file:
            file.write("".join(script))
        patient = os.path.join(scratch, "bin", "hence")
        os.mkdir(os.path.dirname(patient))
        with open(patient, "w") as file:
            file.write(PATIENT.format(hence=shlex.quote(HENCE)))
        os.chmod(patient, 0o755)
        env = dict(os.environ, LC_ALL="C.UTF-8", HOME=scratch,
                   PATH=":".join([os.path.dirname(patient), os.path.dirname(HENCE), "/usr/bin:/bin"]))
        for variable in ("CC", "NO_COLOR", "COLUMNS", "MAKEFLAGS", "MAKELEVEL", "MFLAGS", "SRC", "CASE", "B"):
            env.pop(variable, None)
        subprocess.run(["bash", name], cwd=root, env=env, stdin=subprocess.DEVNULL, check=False)
        result = []
        for i in range(len(commands)):
            try:
                with open(f"{scratch}/{i}.out", errors="replace") as out:
                    result.append(out.read())
            except OSError:
                fail(f"the shell ended before '{commands[i].text}'")
        return result


def matches(expected, actual):
    """Whether the lines are the same, '...' standing for any."""
    pattern = "".join(r"(?:[^\n]*\n)*?" if line.strip() == "..." else re.escape(line) + r"\n" for line in expected)
    return re.fullmatch(pattern, "".join(line + "\n" for line in actual)) is not None


def check(path, update):
    lines = open(path).read().splitlines()
    commands = commands_of(path, lines)
    if not commands:
        fail(f"{path} has no ```console block")
    wrong = 0
    for command, output in reversed(list(zip(commands, run(commands)))):
        expected, actual = normal("\n".join(command.output)), normal(output)
        while actual and not actual[-1]:
            actual.pop()
        while expected and not expected[-1]:
            expected.pop()
        if matches(expected, actual):
            continue
        wrong += 1
        if update and "..." not in [line.strip() for line in command.output]:
            lines[command.first:command.last] = [line.rstrip() for line in output.splitlines()]
            continue
        print(f"{path}:{command.line + 1}: $ {command.text}")
        for line in difflib.unified_diff(expected, actual, "in the document", "printed now", lineterm=""):
            print("    " + line)
    if update and wrong:
        open(path, "w").write("\n".join(lines) + "\n")
    if wrong:
        print(f"{path}: {wrong} of {len(commands)} commands print something else")
    return wrong


def main():
    arguments = sys.argv[1:]
    update = "--update" in arguments
    documents = [argument for argument in arguments if argument != "--update"]
    if not documents:
        fail("usage: console.py [--update] DOCUMENT...")
    sys.exit(1 if sum([check(path, update) for path in documents]) else 0)


main()
