#!/bin/bash
# Links of the documents lead to files that are there, and docs/README.md has every guide.
set -u
bad=0

complain() {
	echo "FAILED: $*"
	bad=1
}

cd "$SRC" || exit 1
links=0
for document in README.md ARCHITECTURE.md docs/*.md; do
	folder=$(dirname "$document")
	while read -r link; do
		links=$((links + 1))
		[[ -e $folder/$link ]] || complain "$document: no file $link"
	done < <(grep -oE '\]\([^)# ]+' "$document" | sed 's/^](//' | grep -v '^[a-z]*:')
done
[[ $links -gt 20 ]] || complain "only $links links were found"
for document in docs/*.md; do
	name=${document#docs/}
	[[ $name == README.md ]] || grep -qF "]($name)" docs/README.md || complain "docs/README.md does not link to $name"
done
exit "$bad"
