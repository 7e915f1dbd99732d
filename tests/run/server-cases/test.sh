#!/bin/bash
# Trials forked from a server are like runs of their own: all programs of tests/cases, with standard input, arguments, or
# both varied. Those that cannot be a server are in `expected`, with the reason. `make test-long` takes all programs, else these
# and every third of the others.
set -u
work=$PWD
failures=0 number=0 least=110
[[ ${HENCE_TEST_LONG-} ]] || least=30

"$SRC/scripts/build-tool" "$B" compare "$CASE/compare.c" || exit 1

words_of() {
	[[ ! -f $case/$1 ]] || cat "$case/$1"
}

build() {
	mkdir "$work/$name" && cd "$work/$name" || exit 1
	if [[ -f $case/build.sh ]]; then
		CASE=$case CC=$HENCE_CC CFLAGS='' LDFLAGS='' OUT=$PWD/prog bash "$case/build.sh" >log 2>&1 </dev/null
	else
		# shellcheck disable=SC2046 # these files hold words
		"$HENCE_CC" $(words_of cflags) "$case"/*.c -o prog $(words_of ldflags) >log 2>&1 </dev/null
	fi
}

# check WHAT: compares with WHAT varied; the answer goes to the list.
check() {
	local input=/dev/null files=- setting=() arguments=() answer
	[[ $1 == stdin ]] || arguments=(1 22 three)
	[[ ! -f $case/stdin ]] || input=$case/stdin
	[[ ! -d $case/files ]] || files=$case/files
	[[ ! -f $case/env ]] || mapfile -t setting <"$case/env"
	[[ ! -f $case/args ]] || mapfile -t arguments <"$case/args"
	mkdir -p "$work/here" && cd "$work/here" || exit 1
	if ! answer=$(env -i PATH="$PATH" HOME="$work" LC_ALL=C "${setting[@]}" "$work/compare" "$1" "$input" "$files" \
		"$work/$name/prog" "${arguments[@]}" 2>&1); then
		echo "FAILED: $name with $1 varied:"
		echo "$answer"
		failures=$((failures + 1))
	fi
	cd "$work" || exit 1
	echo "$name $1 ${answer%%$'\n'*}" >>answers
}

for case in "$SRC"/tests/cases/*/; do
	case=${case%/}
	name=${case##*/}
	# Where one crashes depends on where its arguments lie; the other is about real time.
	[[ $name != crash-overflow && $name != signals-timer ]] || continue
	[[ ${HENCE_TEST_LONG-} || $((number++ % 3)) == 0 ]] || grep -q "^$name " "$CASE/expected" || continue
	build || exit 1
	check stdin
	check arguments
	[[ ! -f $case/stdin ]] || check both
	rm -rf "${work:?}/$name"
done
# Most programs here read nothing at all, so with only standard input varied they just end.
LC_ALL=C sort answers | grep cannot | grep -v "stdin cannot: it ended before it could read anything" >refused
diff "$CASE/expected" refused >difference || {
	echo "FAILED: other programs than expected cannot be servers:"
	cat difference
	exit 1
}
[[ $(grep -c "equal 7" answers) -ge $least ]] || {
	echo "FAILED: only $(grep -c "equal 7" answers) comparisons"
	exit 1
}
[[ $failures == 0 ]]
