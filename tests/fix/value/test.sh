#!/bin/bash
# Programs with one small defect of this class: see ../README.md.
exec /usr/bin/python3 -B "$SRC/tests/fix/check.py" "$CASE"/*/
