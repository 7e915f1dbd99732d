#!/bin/bash
# Random programs with one planted change: hence fix finds a change at that line in at least 95 % (of few programs, 90 %). Numbers are the same each time.
export PYTHONDONTWRITEBYTECODE=1
if [[ ${HENCE_TEST_LONG-} ]]; then
	exec /usr/bin/python3 "$CASE/run.py" 1 500 10 95
fi
exec /usr/bin/python3 "$CASE/run.py" 1 6 15 90
