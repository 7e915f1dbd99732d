# Repeats the experiments of a cause tree without hence, as ../explain/replay.sh does for an explanation: what passed must pass under gdb, and what
# did not must not. A run passes when it prints what is expected, or, where nobody said that, when it exits with 0. Sourced by check after faulty.sh.
. "$SRC/tests/explain/replay.sh"

most_replayed=3
[[ ${HENCE_TEST_LONG-} != 1 ]] || most_replayed=1000

# What a run shows is only whether it passes.
shown_by() { # OUTPUT END
	if [[ $2 != 'exit 0' || ($expected && $(<"$1") != "$expected") ]]; then
		echo fail
	else
		echo pass
	fi
}

outcome_of() { # WHAT-IT-SHOWS
	echo "$1"
}

# Only a position that has code of its own: where a load was folded into another instruction, the point may lie before that or behind it.
exact_address_of() { # FILE LINE COLUMN
	awk -v file="${1##*/}" -v line="$2" -v column="$3" '$1 == file && $2 == line && $3 == column { print $4; exit }' addresses
}

prepare_tree_replay() {
	build gdb "$CLANG" -no-pie
	list_addresses gdb/prog >addresses
	nm gdb/prog | awk '$2 ~ /^[tT]$/ { print $3 }' >functions
	: >seen
}

replay_tree_proof() { # PATH
	local what address stop kind got='' changes want=fail
	kind=$(value "$1.kind")
	[[ $(value "$1.outcome") != pass ]] || want=pass
	what="$(text_at "$1.changed") = $(text_at "$1.to") at $(value "$1.point.file"):$(value "$1.point.line"):$(value "$1.point.column")"
	what+=", time $(value "$1.point.instance"), gives $want"
	! grep -qxF -- "$what" seen || return
	echo "$what" >>seen
	address=$(exact_address_of "$(text_at "$1.point.file")" "$(value "$1.point.line")" "$(value "$1.point.column")")
	[[ $address ]] || { cannot_check "$what" "no code at this place"; return; }
	(($(value "$1.point.instance") <= 5000)) || { cannot_check "$what" "gdb is too slow"; return; }
	list_changes "$1" careful || { cannot_check "$what" "no value for gdb"; return; }
	stop="break *$address"$'\n'"ignore 1 $(($(value "$1.point.instance") - 1))"
	try_changes failing "$stop" "$changes" "$what" || return
	checked=$((checked + 1))
	[[ $got == "$want" ]] || complain "$what: with gdb it is $got"
}

# What counts comes first.
list_tree_proofs() {
	local path
	while read -r path; do
		[[ $(value "$path.counts") == true ]] && echo "0 $path" || echo "1 $path"
	done < <(grep -oE '^\.tree\.nodes\[[0-9]+\]\.proof\[[0-9]+\]' flat | uniq) | sort -s -n -k 1,1 | cut -d ' ' -f 2
}

check_tree_proofs() {
	local path all
	mapfile -t all < <(list_tree_proofs)
	[[ ${#all[@]} != 0 ]] || return 0
	prepare_tree_replay
	for path in "${all[@]}"; do
		((checked < most_replayed)) || break
		replay_tree_proof "$path"
	done
	echo "$checked experiments repeated with gdb, $unchecked not"
	((checked > 0)) || skips replay || complain "no experiment could be repeated"
}
