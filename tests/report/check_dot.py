#!/usr/bin/python3
"""Checks graphs of `hence explain --format dot`: their form by a reader of our own for the part of the language that is
used; and that graphviz, if it is there, takes them without a word and shows the same texts.

	check_dot.py FILE...
"""
import re
import shutil
import subprocess
import sys
import xml.etree.ElementTree as xml

NAME = r"[a-z]+[0-9]*"


class Reader:
    def __init__(self, text):
        self.text, self.at = text, 0

    def space(self):
        self.at += len(re.match(r"\s*", self.text[self.at:]).group())

    def take(self, pattern):
        """The match at this place, behind spaces; None: there is none."""
        self.space()
        match = re.compile(pattern).match(self.text, self.at)
        if match:
            self.at = match.end()
        return match and match.group()

    def need(self, pattern):
        found = self.take(pattern)
        assert found is not None, f"no {pattern} at: {self.text[self.at:self.at + 60]!r}"
        return found

    def value(self):
        """A word, a string in quotes, or HTML, which is given as an element."""
        self.space()
        if self.text[self.at] != "<":
            return self.need(r'"([^"\\\n]|\\.)*"|[A-Za-z0-9.]+')
        begin, depth = self.at, 0
        while True:
            depth += {"<": 1, ">": -1}.get(self.text[self.at], 0)
            self.at += 1
            if depth == 0:
                return xml.fromstring(self.text[begin + 1:self.at - 1])

    def attributes(self):
        found = {}
        if self.take(r"\["):
            while not self.take(r"\]"):
                key = self.need(r"[a-z]+")
                self.need("=")
                found[key] = self.value()
                self.take(",")
        return found


def check_label(label):
    """Nothing but what a label is made of."""
    allowed = {
        "TABLE": {"BORDER", "CELLSPACING", "CELLPADDING"}, "TR": set(), "TD": {"ALIGN", "BALIGN", "COLSPAN"},
        "FONT": {"POINT-SIZE", "FACE"}, "B": set(), "I": set(), "BR": {"ALIGN"},
    }
    for element in label.iter():
        assert element.tag in allowed and set(element.attrib) <= allowed[element.tag], (element.tag, element.attrib)


def read(text):
    """Nodes with their attributes, and edges; labels are elements."""
    reader, nodes, edges = Reader(text), {}, []
    reader.need(r"digraph explanation \{")
    while not reader.take(r"\}"):
        name = reader.need(NAME)
        if reader.take("="):
            value = reader.value()
            if name == "label":
                check_label(value)
        elif reader.take("->"):
            edges.append((name, reader.need(NAME), reader.attributes()))
        else:
            attributes = reader.attributes()
            if name not in ("node", "edge"):
                assert name not in nodes, f"twice: {name}"
                check_label(attributes["label"])
                nodes[name] = attributes
        reader.need(";")
    reader.space()
    assert reader.at == len(text), "more behind the graph"
    return nodes, edges


def words(element):
    """Its text without spaces."""
    return "".join("".join(element.itertext()).split())


def shown(label):
    """The same as graphviz shows it: two backslashes are one, and other escapes are its own."""
    text = words(label)
    assert not re.search(r"\\", text.replace("\\\\", "")), f"an escape: {text}"
    return text.replace("\\\\", "\\")


def check_chain(nodes, edges):
    """The steps are one after the other; what is not proven is dashed; the failure is the end."""
    steps = [name for name in nodes if name.startswith("step")]
    assert steps == [f"step{i + 1}" for i in range(len(steps))]
    chain = steps + (["failure0"] if "failure0" in nodes else [])
    assert [(a, b) for a, b, _ in edges] == list(zip(chain, chain[1:]))
    assert chain and "#c00000" in nodes[chain[-1]]["color"]
    for name in steps:
        dashed = "dashed" in nodes[name]["style"]
        assert ("notproven" in words(nodes[name]["label"])) >= dashed
    for _, _, attributes in edges:
        assert attributes["label"] in ('" therefore"', '" also"')
        assert ("dir" in attributes) == (attributes["label"] == '" also"')


def check_picture(path, nodes):
    """Each node of the picture has the text of its label."""
    made = subprocess.run(["dot", "-Tsvg", path], capture_output=True, check=False)
    assert made.returncode == 0 and not made.stderr, made.stderr.decode(errors="replace")
    seen = {}
    for group in xml.fromstring(made.stdout).iter("{http://www.w3.org/2000/svg}g"):
        if group.get("class") == "node":
            texts = [words(text) for text in group.iter("{http://www.w3.org/2000/svg}text")]
            seen[group.find("{http://www.w3.org/2000/svg}title").text] = "".join(texts)
    assert seen == {name: shown(node["label"]) for name, node in nodes.items()}, seen


def check(path):
    with open(path, encoding="utf-8", errors="strict") as file:
        nodes, edges = read(file.read())
    check_chain(nodes, edges)
    if shutil.which("dot"):
        check_picture(path, nodes)
    return nodes, edges


if __name__ == "__main__":
    for argument in sys.argv[1:]:
        try:
            check(argument)
        except (AssertionError, xml.ParseError) as wrong:
            sys.exit(f"{argument}: {wrong}")
