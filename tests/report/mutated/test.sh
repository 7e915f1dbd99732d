#!/bin/bash
# Reports that were changed at random, and those with which something once went wrong: hence ends with an exit code of its own, in
# time, and leaves nothing. `make test-long` tries 100,000.
set -u
/usr/bin/python3 "$CASE/run.py" replay || exit 1
if [[ ${HENCE_TEST_LONG:-} == 1 ]]; then
	/usr/bin/python3 "$CASE/run.py" 1 100000 "$(nproc)"
else
	/usr/bin/python3 "$CASE/run.py" 1 30
fi
