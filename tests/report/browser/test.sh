#!/bin/bash
# Clicks through pages of --format html in a browser, as a person would, and without their script. If there is no browser,
# it has failed: scripts/deps installs it.
source "$SRC/tests/run/lib.sh"

for name in rich hostile long; do
	"$B/unit/report_html" "$name" >"$name.html" || fail "cannot print $name"
done
/usr/bin/python3 "$CASE/click.py" "$PWD" "$TMPDIR" || fail "see above"
