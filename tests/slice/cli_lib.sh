# For the tests of `hence slice` on the command line.
source "$SRC/tests/run/lib.sh"

# slice CODE ARGS...: runs `hence slice ARGS...` and checks the exit code; output to out and err.
slice() {
	hence_exits "$1" slice "${@:2}"
}

# slice_is 'a.c:1,2,5 b.c:7' ARGS...: the lines of the slice are exactly these. Those that are only shown as the criterion
# do not count.
slice_is() {
	local expected=$1 got
	shift
	slice 0 --json "$@"
	got=$(lines_of out)
	expected=$(tr ' ' '\n' <<<"$expected" | awk -F: '{ n = split($2, line, ","); for (i = 1; i <= n; i++) print $1 ":" line[i] }')
	diff <(sort -t: -k1,1 -k2n <<<"$expected") <(sort -t: -k1,1 -k2n <<<"$got") >difference ||
		fail "slice $*: lines missing (<) or too many (>): $(grep '[<>]' difference | tr '\n' ' ')"
	grep -q "\"slice\":$(grep -c . <<<"$got")," out || fail "slice $*: the size is not the number of lines"
}

# lines_of FILE: file:line of each line in the JSON that is in the slice.
lines_of() {
	grep -oE '\{"file":"[^"]*","line":[0-9]+,"function":"[^"]*","count":[0-9]+(,"[a-z]+":true)*' "$1" | grep -v '"outside"' |
		sed -E 's/.*"file":"([^"]*)","line":([0-9]+).*/\1:\2/'
}

# refused MESSAGE ARGS...: bad input, told by this one line (a pattern of the shell).
refused() {
	slice 2 "${@:2}"
	[[ ! -s out ]] || fail "slice ${*:2} printed something"
	# shellcheck disable=SC2053
	[[ $(grep '^hence: ' err | tail -1) == hence:\ $1 ]] || fail "slice ${*:2}: the message is not: $1"
}
