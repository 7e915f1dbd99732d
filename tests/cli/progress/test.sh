#!/bin/bash
# The progress line: phases, counts and time on a terminal, nothing left behind, and nothing anywhere else.
source "$SRC/tests/run/lib.sh"

build scale -g <"$SRC/tests/cli/explain/scale.c"
esc=$'\x1b'

# on_terminal TERM COLUMNS OPTIONS...: explains with standard error on a terminal; what it saw is in `seen`, a line for each time that the line
# was replaced.
on_terminal() {
	local term=$1 columns=$2
	shift 2
	TERM=$term script -qec "stty cols $columns; '$HENCE' explain $* --expect-text 'result 24' --pass 8 -- ./scale 12 >out" /dev/null \
		</dev/null >raw 2>&1 || fail "exit code $?"
	tr '\r' '\n' <raw | sed "s/$esc\\[K//g" >seen
}

# --- phases, with counts ---
on_terminal xterm 100
like seen 'recording the failing run'
like seen 'recording the run to compare with'
like seen 'following causes backwards: [0-9]+ experiments?(, [0-9]+/s)?, (2|1)[0-9] s left'
like seen 'building the cause tree'
grep -q '^look first at' out || fail "no answer"
# Nothing is left: each line is taken away, the last one, too, and none has an end.
[[ $(tail -c 4 raw) == $'\r'"$esc[K" ]] || fail "left behind: $(tail -c 60 raw | od -c)"
[[ $(wc -l <raw) == 0 ]] || fail "$(wc -l <raw) lines were written"

# --- how much time is left, if there is a limit ---
on_terminal xterm 100 --time 60
like seen 'following causes backwards: [0-9]+ experiments?(, [0-9]+/s)?, (60|5[0-9]) s left'

# --- never more than a line of the terminal ---
on_terminal xterm 25
like seen 'recording the failing run|recording the failing ru'
[[ $(awk '{ if (length > n) n = length } END { print n }' seen) -le 24 ]] || fail "too long for the terminal"

# --- a terminal that cannot take a line back, and no terminal ---
on_terminal dumb 100
[[ ! -s raw ]] || fail "written to a dumb terminal: $(cat raw)"
hence_exits 0 explain --expect-text 'result 24' --pass 8 -- ./scale 12
[[ ! -s err ]] || fail "written to a file: $(cat err)"
