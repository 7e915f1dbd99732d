"""Plants changes in random programs and asks `hence fix` for them.

	run.py FIRST COUNT SECONDS SHARE

COUNT programs from number FIRST on; SECONDS for each search; at least SHARE percent of the planted lines must have a
plausible change. `run.py SEED 1 60 100` repeats one, and leaves it in the folder.
"""

import json
import os
import subprocess
import sys

import make

INPUTS = [["3", "4"], ["1", "0"], ["12", "7"], ["0", "0"], ["5", "21"], ["100", "33"]]


def build(compiler, lines, name):
    with open(f"{name}.c", "w", encoding="ascii") as file:
        file.write("\n".join(lines) + "\n")
    return not subprocess.run([compiler, "-g", "-O0", "-w", f"{name}.c", "-o", name]).returncode


def outputs(name):
    result = []
    for words in INPUTS:
        try:
            done = subprocess.run([f"./{name}", *words], stdout=subprocess.PIPE, timeout=2)
            result.append((done.stdout.decode(), done.returncode))
        except subprocess.TimeoutExpired:
            result.append(("", None))
    return result


def plant(seed):
    """A change that an input shows: kind, line, lines at which it may be undone, both texts, failing input, right output, passing inputs. None: there is none."""
    lines, changes = make.make(seed)
    if not build(os.environ["CLANG"], lines, "right"):
        raise SystemExit(f"program {seed} does not compile")
    right = outputs("right")
    for kind, number, text in changes[:6]:
        wrong = lines[:number - 1] + [text] + lines[number:]
        if not build(os.environ["CLANG"], wrong, "wrong"):
            continue
        got = outputs("wrong")
        bad = [i for i in range(len(INPUTS)) if got[i] != right[i]]
        if bad and all(code == 0 for _, code in got) and all(code == 0 for _, code in right):
            good = [i for i in range(len(INPUTS)) if got[i] == right[i]]
            near = neighbours(lines, number) if kind == "deleted" else {number}
            return kind, number, near, lines[number - 1], text, bad[0], right[bad[0]][0], good[:2]
    return None


def neighbours(lines, number):
    """What is missing at a line may be put in before the next statement or after the one before."""
    near = {number}
    for step in (-1, 1):
        at = number + step
        while lines[at - 1].strip() in ("", "}", ";", "} else {"):
            at += step
        near.add(at)
    return near


def fix(seconds, bad, expected, good):
    subprocess.run([os.environ["HENCE_CC"], "-g", "-w", "wrong.c", "-o", "wrong"], check=True)
    command = [os.environ["HENCE"], "fix", "--json", "--all", "--time", str(seconds), "--expect-text", expected]
    for i in good:
        command += ["--pass", " ".join(INPUTS[i])]
    done = subprocess.run([*command, "--", "./wrong", *INPUTS[bad]], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    if done.returncode not in (0, 3):
        raise SystemExit(f"exit code {done.returncode}: {done.stderr.decode()}")
    return json.loads(done.stdout)


def run(name, words):
    try:
        done = subprocess.run([f"./{name}", *words], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, timeout=5)
        return done.stdout.decode("latin-1"), done.returncode
    except subprocess.TimeoutExpired:
        return "", None


def is_undefined(inputs):
    """Do sanitizers say that the program has undefined behaviour?"""
    for flags in (["-fsanitize=address,undefined", "-fno-sanitize-recover=all"], ["-fsanitize=memory"]):
        subprocess.run([os.environ["CLANG"], "-g", "-w", *flags, "patched.c", "-o", "patched"], check=True)
        if any(run("patched", INPUTS[i])[1] != 0 for i in inputs):
            return True
    return False


def wrong_patches(fixes, most, bad, expected, good):
    """Applied and compiled without hence, does each do what is said? Returns how many were tried, and how many do not."""
    tried = wrong = 0
    before = {i: run("wrong", INPUTS[i]) for i in good}
    for fix in [f for f in fixes if f.get("patch")][:most]:
        tried += 1
        with open("wrong.c", "rb") as source, open("patched.c", "wb") as target:
            target.write(source.read())
        done = subprocess.run(["patch", "-s", "--fuzz=0", "patched.c"], input=fix["patch"].encode(), stdout=subprocess.PIPE)
        text = None
        if done.returncode:
            text = "does not apply"
        elif subprocess.run([os.environ["CLANG"], "-g", "-w", "patched.c", "-o", "patched"]).returncode:
            text = "does not compile"
        else:
            same = sum(run("patched", INPUTS[i]) == before[i] for i in good)
            if run("patched", INPUTS[bad]) != (expected, 0):
                text = "the failing run is not right"
            elif same != fix["tried_on"]["passing"]:
                text = f"{same} passing runs are as before, not {fix['tried_on']['passing']}"
            if text and is_undefined([bad, *good]):
                text = None
        if text:
            wrong += 1
            print(f"  patch of {fix['edit']} at line {fix['line']}: {text}\n  - {fix['before']}\n  + {fix['after']}")
    return tried, wrong


def main():
    first, count, seconds, share = int(sys.argv[1]), int(sys.argv[2]), float(sys.argv[3]), float(sys.argv[4])
    most = 10 if os.environ.get("HENCE_TEST_LONG") else 1
    done = found = front = late = patches = wrong_ones = 0
    seed = first
    while done < count and (seed == first or count > 1):
        planted = plant(seed)
        seed += 1
        if not planted:
            continue
        kind, number, near, right, wrong, bad, expected, good = planted
        done += 1
        report = fix(seconds, bad, expected, good)
        lines = list(dict.fromkeys(f["line"] for f in report["fixes"]))
        found += bool(near & set(lines))
        front += bool(near & set(lines[:1]))
        tried, wrongly = wrong_patches(report["fixes"], most, bad, expected, good)
        patches += tried
        wrong_ones += wrongly
        if wrongly:
            print(f"program {seed - 1}: {wrongly} of {tried} patches do not do what is said")
        late += report["verdict"] == "incomplete"
        if not near & set(lines):
            print(f"program {seed - 1}: {kind} at line {number} not found ({len(good)} passing runs, lines {lines[:5]}, "
                  f"{report['stats']['edits']} edits, {report['stats']['edits_run']} run, {report['verdict']})")
            print(f"  right: {right.strip()}\n  wrong: {wrong.strip()}")
    print(f"{found} of {done} planted lines have a plausible change, {front} are first; {late} searches were stopped by time; "
          f"{patches} patches tried, {wrong_ones} wrong")
    return found < share / 100 * done or wrong_ones > 0


sys.exit(main())
