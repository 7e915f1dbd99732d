#!/usr/bin/python3
"""Runs hence on changed reports: run.py FIRST COUNT [JOBS], or run.py replay; run.py corpus makes corpus/ anew. In an empty directory.

Each must end with exit code 0 to 3 within a time, say nothing of an assertion or a sanitizer, and leave nothing outside of
scratch directories that are gone afterwards. Prints what does not, with the number and the report; `run.py NUMBER 1` is it again.
"""
import json
import multiprocessing
import os
import subprocess
import sys
import time

CASE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, CASE)
from mutate import Mutator  # noqa: E402

SECONDS = 60  # none of the runs takes long; the machine may be busy
HENCE, HENCE_CC = os.environ["HENCE"], os.environ["HENCE_CC"]
MADE = {
    "patched": ["explain", "--no-edits", "--expect-text", "10", "--", "./limit", "4", "6"],
    "builds": ["explain", "--pass-prog", "./right", "--", "./limit", "4", "6"],
    "sources": ["explain", "--no-edits", "--expect-text", "10", "limit.c", "-Wall", "--", "4", "6"],
    "files": ["explain", "--no-edits", "--file", "text", "--env", "MODE", "--", "./words", "text"],
    "tested": ["explain", "--no-edits", "--no-reduce", "--test", 'test "$("$@")" -eq 10', "--", "./limit", "4", "6"],
    "changed": ["explain", "--expect-text", "10", "--pass", "4 3", "--", "./limit", "4", "6"],
    "fixes": ["fix", "--expect-text", "10", "--", "./limit", "4", "6"],
}
MOST_FIXES = 12  # in a report of the corpus
FORMATS = ["text", "json", "html", "sarif", "gcc", "dot"]


class Room:
    """A directory of its own: work/ with the programs, away/ where nothing may be written, home/ and tmp/ the same."""

    def __init__(self, top):
        self.top = os.path.realpath(top)
        self.work, self.away = self.top + "/work", self.top + "/away"
        for name in ("work", "away", "home", "tmp"):
            os.makedirs(f"{self.top}/{name}")
        self.environment = dict(os.environ, HOME=self.top + "/home", TMPDIR=self.top + "/tmp", HENCE_TAPE_DIR=self.top + "/tmp")
        for name in ("limit.c", "words.c"):
            with open(f"{CASE}/{name}", encoding="utf-8") as source, open(f"{self.work}/{name}", "w", encoding="utf-8") as copy:
                copy.write(source.read())
        self.write("right.c", self.read("limit.c").replace(">=", ">"))
        for name in ("limit", "words", "right"):
            subprocess.run([HENCE_CC, "-g", name + ".c", "-o", name], cwd=self.work, check=True)
        self.write("text", "a!b")
        self.write("response", f"-o {self.away}/o")
        os.mkfifo(self.work + "/pipe.c")
        os.symlink("../away", self.work + "/away")
        os.symlink("/etc/passwd", self.work + "/link.c")
        os.symlink(self.work, self.work + "/link")

    def read(self, name):
        with open(f"{self.work}/{name}", encoding="utf-8") as file:
            return file.read()

    def write(self, name, text):
        with open(f"{self.work}/{name}", "w", encoding="utf-8") as file:
            file.write(text)

    def made(self, *words, **variables):
        """A report that is made now, about these programs."""
        path = self.top + "/report"
        subprocess.run([HENCE, words[0], "--save", path, *words[1:]], cwd=self.work, env=dict(self.environment, **variables),
                       stdout=subprocess.DEVNULL, check=True)
        with open(path, encoding="utf-8") as file:
            report = json.load(file)
        os.remove(path)
        return report

    def reports(self):
        """Those of corpus/. Where they were made and what was compiled there is not in them, but what is here now."""
        builds = self.made("explain", "--pass-prog", "./right", "--", "./limit", "4", "6")["recipe"]
        files = self.made(*MADE["files"], MODE="x")["recipe"]
        sources = self.made(*MADE["sources"])["recipe"]
        known = {"@LIMIT@": builds["program"], "@RIGHT@": builds["pass_program"], "@WORDS@": files["program"],
                 "@SOURCES@": sources["program"]}
        found = []
        for name in MADE:
            with open(f"{CASE}/corpus/{name}.json", encoding="utf-8") as file:
                text = file.read().replace("@FOLDER@", self.work)
            for word, program in known.items():
                text = text.replace(word, program["build"])
            found.append(json.loads(text))
        return found

    def make_corpus(self):
        """Makes corpus/ anew."""
        for name, words in MADE.items():
            report = self.made(*words, MODE="x")
            recipe = report["recipe"]
            recipe["program"]["build"] = "@SOURCES@" if name == "sources" else "@WORDS@" if name == "files" else "@LIMIT@"
            if "pass_program" in recipe:
                recipe["pass_program"]["build"] = "@RIGHT@"
            recipe["locale"] = ["LC_ALL=C"]
            for key in ("sources", "invocation"):
                report.pop(key, None)
            report["fixes"] = report.get("fixes", [])[:MOST_FIXES]
            with open(f"{CASE}/corpus/{name}.json", "w", encoding="utf-8") as file:
                file.write(json.dumps(report).replace(self.work, "@FOLDER@") + "\n")

    def listing(self):
        """All that is there; what changes when it is written."""
        found = []
        for name in ("work", "away", "home", "tmp"):
            for entry in os.scandir(f"{self.top}/{name}"):
                info = entry.stat(follow_symlinks=False)
                found.append((entry.path, info.st_mode, info.st_size, info.st_mtime_ns))
        return sorted(found)

    def begin(self):
        self.mutator = Mutator(self.reports(), {"away": self.away, "work": self.work})
        self.before = self.listing()

    def try_one(self, number, text, command):
        """What is wrong with how hence ends; None: nothing."""
        with open(self.top + "/report.json", "wb") as file:
            file.write(text)
        try:
            run = subprocess.run([HENCE] + command, cwd=self.work, env=self.environment, stdin=subprocess.DEVNULL,
                                 stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=SECONDS, check=False)
        except subprocess.TimeoutExpired:
            time.sleep(2)  # it was killed; what is left of it cleans up
            self.before = self.listing()
            return f"{number}: {command} does not end"
        wrong = None
        said = run.stderr + run.stdout
        if run.returncode not in (0, 1, 2, 3):
            wrong = f"ends with {run.returncode}"
        elif b"Assertion" in run.stderr or b"Sanitizer" in said or b"runtime error" in run.stderr:
            wrong = "says what it must not"
        elif b"\x1b" in said:
            wrong = "sends an escape to the terminal"
        elif run.returncode == 2 and not run.stderr:
            wrong = "does not say why"
        now = self.listing()
        if now != self.before:
            wrong = f"leaves {sorted(set(now) ^ set(self.before))}"
            self.before = now
        return f"{number}: {command} {wrong}: {run.stderr[-300:]!r}" if wrong else None

    def command(self, rng):
        report = "../report.json"
        kind = rng.randrange(200)
        if kind == 0:
            return ["gdb", "--batch", report, str(rng.randrange(1, 4))] + rng.choice([[], ["--anyway"], ["--reference"]])
        if kind < 50:
            return ["show", "--format", rng.choice(FORMATS), report]
        return ["verify", "-j", "1"] + rng.choice([[], ["--anyway"], ["--step", "1"], ["--step", "1", "--anyway"], ["--json"]]) + [report]


def work(job):
    top, first, count = job
    room, wrong = Room(top), []
    room.begin()
    for number in range(first, first + count):
        text, rng = room.mutator.mutated(number)
        what = room.try_one(number, text, room.command(rng))
        if what:
            wrong.append(what)
            with open(f"{room.top}/wrong-{number}.json", "wb") as file:
                file.write(text)
            print(what, flush=True)
    return wrong


def replay():
    """All of corpus/ as it is, and what corpus/edits.json makes of it: reports with which something once went wrong."""
    room = Room("replay")
    room.begin()
    reports = dict(zip(MADE, room.mutator.reports))
    tried = list(reports.items())
    with open(CASE + "/corpus/edits.json", encoding="utf-8") as file:
        edits = json.loads(file.read().replace("{away}", room.away))
    for edit in edits:
        report = json.loads(json.dumps(reports[edit["report"]]))
        for key, value in edit["set"].items():
            report["recipe"].pop(key, None)
            if value is not None:
                report["recipe"][key] = value
        tried.append((edit["was"], report))
    wrong = [room.try_one(name, json.dumps(report).encode(), [command, "../report.json"])
             for name, report in tried for command in ("verify", "show")]
    wrong = [what for what in wrong if what]
    print(*wrong, f"{len(tried)} reports of the corpus, {len(wrong)} wrong", sep="\n")
    return wrong


def main():
    if sys.argv[1] == "corpus":
        Room("corpus").make_corpus()
        return
    if sys.argv[1] == "replay":
        sys.exit(bool(replay()))
    first, count, jobs = int(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]) if len(sys.argv) > 3 else 1
    share = -(-count // jobs)
    parts = [(f"room{i}", first + i * share, min(share, count - i * share)) for i in range(jobs)]
    with multiprocessing.Pool(jobs) as pool:
        wrong = sum(pool.map(work, [part for part in parts if part[2] > 0]), [])
    print(f"{count} reports, {len(wrong)} wrong")
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main()
