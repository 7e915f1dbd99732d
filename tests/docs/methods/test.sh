#!/bin/bash
# The commands that docs/chop.md and docs/transitions.md show print what they say they print; see tests/docs/console.py.
exec /usr/bin/python3 "$SRC/tests/docs/console.py" "$SRC/docs/chop.md" "$SRC/docs/transitions.md"
