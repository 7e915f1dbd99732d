#!/bin/bash
# Random programs; see ../README.md.
exec "$SRC/tests/csmith/check"
