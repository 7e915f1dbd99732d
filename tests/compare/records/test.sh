#!/bin/bash
# A program with a fault; see ../../chain/README.md.
exec "$SRC/tests/chain/check"
