#!/bin/bash
# One small program per memory error. It survives the error, or the C library ends it. `hence explain` names the error: its kind, its
# line (the comment error in the source), and where its object is declared, allocated and freed (comments of these names), where the
# index was written, and which call was given a variable that it did not initialise. AddressSanitizer and valgrind see the same error
# first, at the same line; where they do not, the source says why: `// valgrind: none (...)`. They are asked by `make test-long` only:
# what they say of these programs does not change with hence.
source "$SRC/tests/trace/lib.sh"

checks=(hence)
[[ ! ${HENCE_TEST_LONG-} ]] || checks=(hence asan valgrind)
command -v valgrind >/dev/null || fail "there is no valgrind; run scripts/deps"

# marked NAME: the line of that comment.
marked() {
	grep -n "/\*$1\*/" "$source" | head -1 | cut -d: -f1
}

told() { # NAME: what the source says about it
	sed -n "s#^// $1: ##p" "$source"
}

# What the kind is for hence: as the source says, or by what AddressSanitizer and valgrind can see.
kind_of() {
	case $(told kind)$(told asan):$name in
	out-of-member*) echo out-of-member ;;
	none*:undefined-branch | none*:undefined-heap | none*:undefined-member | none*:undefined-given) echo uninitialised-branch ;;
	none*:undefined-index) echo uninitialised-address ;;
	none*:undefined-output) echo uninitialised-output ;;
	*buffer-overflow:* | *buffer-underflow:*) echo out-of-bounds ;;
	heap-use-after-free:*) echo use-after-free ;;
	stack-use-after-return:*) echo use-after-return ;;
	*double-free:*) echo double-free ;;
	*"free on address":*) echo bad-free ;;
	esac
}

check_hence() {
	local status=0 part
	"$HENCE_CC" -g -w "$source" -o "$name.hence" || fail "cannot build $source"
	"$HENCE" explain --json --no-edits --stdin input -- "./$name.hence" >report.json 2>err || status=$?
	[[ $status == "$(told exits | cut -c1)" || ($status == 0 && -z $(told exits)) ]] || fail "exit code $status: $(cat err)"
	for part in declared allocated freed index given; do
		echo "$part $(marked $part)"
	done | python3 -c '
import json, sys
e = json.load(open("report.json"))
m = e.get("memory_error")
if not m or m["kind"] != sys.argv[1] or str(m["line"]) != sys.argv[2]:
    sys.exit(f"not {sys.argv[1]} at line {sys.argv[2]}: {m}")
suspects = [s["line"] for s in e["suspects"][:4]]
for words in sys.stdin:
    part, line = (words.split() + [""])[:2]
    found = str(m.get(part, {}).get("line", ""))
    # The index is told wherever it is known.
    if found != line and not (part == "index" and not line):
        sys.exit(f"{part} is line {found or 0}, not {line or 0}: {m}")
    if line and int(line) not in suspects:
        sys.exit(f"line {line} ({part}) is not among the first suspects")
' "$(kind_of)" "$(marked error)" || exit 1
	if grep -q '"failure":{"kind":"memory"' report.json; then
		grep -q '"verdict":"explained"' report.json || fail "not explained"
	fi
}

# The place of the first frame that lies in the source.
first_line() { # FILE
	grep -o "$source:[0-9]*" "$1" | head -1 | cut -d: -f2
}

check_asan() {
	"$CLANG" -g -w -O0 -fsanitize=address "$source" -o "$name.asan" || fail "cannot build with AddressSanitizer"
	ASAN_OPTIONS=detect_leaks=0:detect_stack_use_after_return=1 timeout 60 "./$name.asan" <input >out 2>asan.err
	if [[ $(told asan) == none* ]]; then
		! grep -q 'ERROR: AddressSanitizer' asan.err || fail "AddressSanitizer sees it, too"
		return
	fi
	grep 'ERROR: AddressSanitizer' asan.err | grep -qF "$(told asan)" || fail "AddressSanitizer says $(grep ERROR: asan.err)"
	[[ $(first_line asan.err) == "$(marked error)" ]] || fail "AddressSanitizer says line $(first_line asan.err)"
}

check_valgrind() {
	"$CLANG" -g -gdwarf-4 -w -O0 "$source" -o "$name.plain" || fail "cannot build $source"
	timeout 60 valgrind --leak-check=no -q "./$name.plain" <input >out 2>valgrind.err
	if [[ $(told valgrind) == none* ]]; then
		! grep -q '^==.* at 0x' valgrind.err || fail "valgrind sees it, too: $(head -3 valgrind.err)"
		return
	fi
	head -1 valgrind.err | grep -qF "$(told valgrind)" || fail "valgrind says $(head -1 valgrind.err)"
	[[ $(first_line valgrind.err) == "$(marked error)" ]] || fail "valgrind says line $(first_line valgrind.err)"
}

bad=0
cp "$CASE"/*.c .
for source in *.c; do
	name=${source%.c}
	told stdin >input
	for check in "${checks[@]}"; do
		(check_$check) >said 2>&1 || { bad=$((bad + 1)) && echo "$name, $check: $(cat said)"; }
	done
done
((bad == 0)) || fail "$bad checks"
