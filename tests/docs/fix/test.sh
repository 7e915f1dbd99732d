#!/bin/bash
# The commands that docs/fix.md shows print what it says they print; see tests/docs/console.py.
exec /usr/bin/python3 "$SRC/tests/docs/console.py" "$SRC/docs/fix.md"
