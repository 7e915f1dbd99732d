#!/bin/bash
# What a run depended on, the program dependence graph has, too: each line of the dynamic slice of a failure can be reached in the graph
# (hence eval --pdg), backwards from the line where the failure shows. The slice is computed from a tape and the graph from the IR; they share no code.
source "$SRC/tests/run/lib.sh"

for case in tree/jump tree/sorting chain/calculator explain/hash explain/dlist chop/calc; do
	eval "words=($(<"$SRC/tests/$case/command"))"
	cp "$SRC/tests/$case"/* . && "$HENCE_CC" -O0 -g -w ./*.c -o prog -lm || fail "cannot build $case"
	options=()
	for ((i = 0; i < ${#words[@]}; i += 2)); do
		[[ ${words[i]} != -- ]] || break
		[[ ${words[i]} != --@(stdin|expect|expect-text) ]] || options+=("${words[@]:i:2}")
	done
	hence_exits 0 slice --json "${options[@]}" "${words[@]:i}"
	mv out slice.json
	hence_exits 0 eval --pdg prog
	/usr/bin/python3 -I "$CASE/contains.py" out slice.json || fail "$case"
	rm -f ./*.c ./*.h
done
