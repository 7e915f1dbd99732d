#!/bin/bash
# The commands that README.md shows print what it says they print; see tests/docs/console.py.
exec /usr/bin/python3 "$SRC/tests/docs/console.py" "$SRC/README.md"
