# What checks of explanations share: the passing input, and the chain in an answer of hence. To be sourced after faulty.sh.

# --- the passing input ---

pass_arguments=() pass_input='' has_pass_arguments=''

look_at_option() { # OPTION VALUE
	case $1 in
	--pass)
		eval "pass_arguments=($2)"
		has_pass_arguments=yes
		;;
	--pass-stdin) pass_input=$2 ;;
	esac
}

# What is not given is as in the failing command.
complete_pass() {
	[[ $has_pass_arguments ]] || pass_arguments=("${arguments[@]}")
	pass_input=${pass_input:-$input}
}

# The passing input does not show the failure.
check_passing() {
	local given=("${arguments[@]}") given_input=$input
	arguments=("${pass_arguments[@]}") input=$pass_input
	run clang
	[[ $(failure) != "$wrong" ]] || give_up "the passing input fails: $(failure)"
	arguments=("${given[@]}") input=$given_input
}

# --- the chain ---

# The steps, as in `expected`: FILE:LINE | VARIABLE | FAILING | REFERENCE | KIND. The place is the statement that made it so, where
# there is one; several variables are written with ', ' between.
steps() {
	local i path place
	for ((i = 0; ; i++)); do
		path=".steps[$i]"
		grep -qF "$path." flat || break
		place=$path
		! grep -qF "$path.cause.line" flat || place=$path.cause
		printf '%s:%s | %s | %s | %s | %s\n' "$(basename "$(text "$place.file")")" "$(value "$place.line")" \
			"$(all_of "$path" variable)" "$(all_of "$path" failing)" "$(all_of "$path" reference)" "$(kind_of "$i")"
	done
}

kind_of() { # INDEX
	local path=".steps[$1]"
	if [[ $(value "$path.transition") == true && $(value "$path.observed") == true ]]; then
		echo decides
	elif [[ $(value "$path.transition") == true ]]; then
		echo transition
	elif [[ $(value "$path.observed") == true ]]; then
		echo symptom
	elif [[ $1 == 0 ]]; then
		echo start
	else
		echo value
	fi
}

all_of() { # STEP NAME: of its first variable and those that go with it
	local all i
	all=$(text "$1.$2")
	for ((i = 0; ; i++)); do
		grep -qF "$1.with[$i].$2" flat || break
		all+=", $(text "$1.with[$i].$2")"
	done
	echo "$all"
}

text() {
	local found
	found=$(./flatten "$1" <json 2>/dev/null)
	echo "${found:--}"
}

# The chain is that of this file, `expected` of the case when none is given.
check_chain() { # [FILE]
	local want=${1:-$CASE/expected}
	awk -f "$SRC/tests/explain/chain.awk" "$want" steps || {
		complain "another chain than the expected one:"
		diff -y -W 160 <(grep -v '^#' "$want" | sed 's/  */ /g') steps
	}
}

# Every step but the symptom, and the branch that decides about it, is proven.
check_proven() {
	local i path
	for ((i = 0; i < $(grep -c . steps); i++)); do
		path=".steps[$i]"
		sed -n "$((i + 1))p" steps | grep -qE '\| (symptom|decides)$' && continue
		grep -qF "$path.proof[" flat || complain "step $((i + 1)) has no proof"
	done
}
