#!/usr/bin/python3
"""Checks the reports about the hostile program: NAME.FORMAT in this folder for each NAME, and name.* with the bytes that went in."""
import html.parser
import json
import os
import re
import sys
import urllib.parse

import check_dot
import check_sarif

OBEYED = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\ufffe\uffff]")


def raw(path):
    with open(path, "rb") as file:
        return file.read()


FILE, LINE, ARGUMENT, NASTY = (raw(f"name.{name}") for name in ("file", "line", "argument", "nasty"))


def no_utf8(data):
    """A byte that is no UTF-8 is U+FFFD each."""
    text = data.decode("utf-8", errors="surrogateescape")
    return "".join("\ufffd" if "\udc80" <= c <= "\udcff" else c for c in text)


def check_text(name, report):
    text = raw(f"{name}.text").decode("utf-8")
    assert not OBEYED.search(text), OBEYED.search(text)
    assert "onerror=alert" in text, "the program's texts are not even there"
    assert len(report["steps"]) >= 2


def check_coloured():
    text = raw("output.coloured").decode("utf-8")
    assert "\x1b[" in text, "no colours"
    assert "\x1b[7;45m" not in text, "the program's colours"
    assert not OBEYED.search(re.sub("\x1b\\[[0-9;]*m", "", text))


def check_json(name, report):
    given = [no_utf8(b"./hostile"), no_utf8((b"!" if name == "check" else b"") + ARGUMENT)]
    assert report["command"] == given, report["command"]
    files = {place["file"] for place in check_sarif.objects(report) if "file" in place}
    assert no_utf8(LINE) in files, files
    assert any(file == no_utf8(FILE) or file.endswith("/" + no_utf8(FILE)) for file in files), files
    sources = [place["source"] for place in check_sarif.objects(report) if isinstance(place.get("source"), str)]
    whole = [source for source in sources if no_utf8(NASTY[:-1]) in source]
    assert whole, "no source line is as it was"


def check_gcc(name, report):
    text = raw(f"{name}.gcc").decode("utf-8")
    assert text.endswith("\n") and not OBEYED.search(text)
    lines = text[:-1].split("\n")
    for line in lines:
        assert re.fullmatch(r"(hence|.*[^ ]:[1-9][0-9]*(:[1-9][0-9]*)?): (note|warning|error): .+", line), line
    safe = "\\n\\x1b[7;45m </script>\"{0} \\N] \u00e9.c"
    assert any(line.startswith("a:7:1: error: b" + safe + ":") for line in lines)
    ends = [re.search(r"^(?:hence|.*:[0-9]+): (warning: look here: |error: \./hostile )", line) for line in lines]
    assert sum(bool(end) and end.group(1)[0] == "e" for end in ends) == 1
    assert sum(bool(end) and end.group(1)[0] == "w" for end in ends) == min(5, len(report["suspects"]))
    assert len(lines) >= 1 + len(report["steps"]) + min(5, len(report["suspects"])) + len(report["notes"])


def check_sarif_log(name, report):
    check_sarif.check(f"{name}.sarif")
    run = check_sarif.read(f"{name}.sarif")["runs"][0]
    paths = {urllib.parse.unquote_to_bytes(artifact["location"]["uri"]) for artifact in run["artifacts"]}
    assert LINE in paths and any(path == FILE or path.endswith(b"/" + FILE) for path in paths), paths
    result = run["results"][0]
    steps = result["codeFlows"][0]["threadFlows"][0]["locations"]
    assert len(steps) == len(report["steps"])
    assert len(result["relatedLocations"]) == min(5, len(report["suspects"]))
    assert result["properties"]["command"] == report["command"]
    shown = [snippet["text"] for snippet in check_sarif.snippets(result)]
    assert any(no_utf8(NASTY[:-1]) in text for text in shown), "no source line is as it was"


def check_graph(name, report):
    nodes, _ = check_dot.check(f"{name}.dot")
    assert sum(node.startswith("step") for node in nodes) == len(report["steps"])
    assert not OBEYED.search(raw(f"{name}.dot").decode("utf-8").replace("\t", ""))
    texts = "".join(check_dot.shown(node["label"]) for node in nodes.values())
    assert "{0}\\N]\u00e9.c" in texts and "onerror=alert" in texts, texts


class Page(html.parser.HTMLParser):
    """What a browser would make of a page."""

    def __init__(self):
        super().__init__()
        self.tags, self.bad = [], []

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        for key, value in attrs:
            if (key.startswith("on") and "alert" in (value or "")) or "alert(" in key or '"' in key or "<" in key:
                self.bad.append((tag, key, value))
            if key in ("src", "href") and value and not re.match(r"#|data:|$", value):
                self.bad.append((tag, key, value))


def check_page(name):
    """Nothing of the program's is markup. What alert( there is, stands in texts."""
    data = raw(f"{name}.html")
    assert data, "the page is empty"
    text = data.decode("utf-8")
    assert not OBEYED.search(text.replace("\t", "")), OBEYED.search(text.replace("\t", ""))
    for bad in ("<img src=x", "</script><img", "</title><img", "</title><!--", "<img src=x onerror"):
        assert bad not in text, bad
    page = Page()
    page.feed(text)
    page.close()
    assert not page.bad, page.bad
    assert text.lower().count("</script") == page.tags.count("script"), "a script ends early"
    assert "alert(" in text, "the program's texts are not even there"


for case in sys.argv[1:]:
    saved = json.loads(raw(f"{case}.json").decode("utf-8"), object_pairs_hook=check_sarif.no_duplicates)
    for form in ("json", "sarif"):
        assert not OBEYED.search(raw(f"{case}.{form}").decode("utf-8")), form
    for check in (check_text, check_json, check_gcc, check_sarif_log, check_graph):
        try:
            check(case, saved)
        except Exception as error:
            print(f"{case}: {check.__name__}: {error!r}")
            raise
    check_page(case)
check_coloured()
