#!/bin/bash
# A program with a fault; see ../README.md.
exec "$SRC/tests/tree/check"
