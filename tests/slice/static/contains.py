"""Is a dynamic slice within the static one? contains.py GRAPH SLICE"""
import json
import os
import sys


def place(thing):
    return os.path.basename(thing["file"]), thing["line"]


graph, dynamic = (json.load(open(name)) for name in sys.argv[1:3])
nodes = [place(node) for node in graph["nodes"]]
before = {}
for node in graph["nodes"]:
    before[place(node)] = {nodes[number] for number in node["data"] + node["control"]}
todo = [place(dynamic["criterion"])]
static = set(todo)
while todo:
    new = before.get(todo.pop(), set()) - static
    static |= new
    todo += new
lines = {place(line) for line in dynamic["lines"]}
if len(lines) < 5 or not static <= set(nodes):
    sys.exit("this proves nothing: %d lines" % len(lines))
if lines - static:
    sys.exit("not in the graph: %s" % sorted(lines - static))
