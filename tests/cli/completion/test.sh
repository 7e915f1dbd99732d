#!/bin/bash
# Completion in bash and zsh offers the commands, options and words that there are.
set -u
PATH=$(dirname "$HENCE"):$PATH

fail() {
	echo "FAILED: $*"
	exit 1
}

# --- bash ---

source "$SRC/completions/hence.bash" || fail "hence.bash cannot be read"

# offers WANTED... -- WORDS...: completing the last of the words offers all that is wanted.
offers() {
	local wanted=()
	while [[ $1 != -- ]]; do
		wanted+=("$1")
		shift
	done
	shift
	COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
	_hence "$HENCE"
	local word
	for word in "${wanted[@]}"; do
		[[ " ${COMPREPLY[*]} " == *" $word "* ]] || fail "bash: '$*': no $word in: ${COMPREPLY[*]}"
	done
}

refuses() { # WORD WORDS...: it does not offer WORD
	COMP_WORDS=("${@:2}") COMP_CWORD=$(($# - 2))
	_hence "$HENCE"
	[[ " ${COMPREPLY[*]} " != *" $1 "* ]] || fail "bash: '${*:2}': $1 is offered"
}

touch input.txt
offers explain eval -- hence e
refuses tree hence e
offers $("$HENCE" --help | sed -n 's/^  \([a-z]*\) .*/\1/p') help -- hence ''
offers tree transitions trace -- hence help t
offers --pass --pass-stdin --pass-prog -- hence explain --pass
offers --format --json --expect --time -j --help -- hence explain -
refuses --all-points hence explain --
offers --all-points -- hence transitions --a
offers text json sarif html dot gcc -- hence explain --format ''
offers sarif -- hence explain --format = s
offers text json -- hence reduce --format ''
refuses sarif hence reduce --format ''
offers input.txt -- hence explain --stdin in
offers input.txt -- hence explain -- ./prog in
refuses --format hence explain -- ./prog --f
# Words for one of a few are those that hence takes.
for word in text json sarif html dot gcc; do
	! "$HENCE" explain --format "$word" 2>&1 | grep -q -- "--format $word" || fail "--format $word is refused"
done
for word in $(_hence_choices "$HENCE" explain --method); do
	! "$HENCE" explain --method "$word" 2>&1 | grep -q -- "--method $word" || fail "--method $word is refused"
done

# --- zsh: what its completion functions are given ---

cat >zsh.sh <<'END'
emulate zsh
_call_program() { shift; "$@" }
_describe() { local name=${@[-1]}; print -l -- ${(P)name} }
_values() { print -l -- ${@[2,-1]} }
_files() { print files }
_normal() { print normal ${words[*]} }
service=$1
words=(hence "${@[3,-1]}")
CURRENT=$(($2))
source $SRC/completions/_hence
END
zsh_offers() { # WANTED CURRENT WORDS...
	zsh -f zsh.sh "$HENCE" "$2" "${@:3}" >offered 2>&1
	grep -qE -- "^$1(:|$)" offered || fail "zsh: '${*:3}': no $1 in: $(<offered)"
}
zsh_offers explain 2 ex
zsh_offers tree 3 help t
zsh_offers --pass-prog 3 explain --pass
zsh_offers --color 3 explain --
zsh_offers sarif 4 explain --format s
zsh_offers files 4 explain --stdin in
zsh_offers 'normal ./prog in' 5 explain -- ./prog in
! grep -q 'command not found\|parse error' offered || fail "$(<offered)"
