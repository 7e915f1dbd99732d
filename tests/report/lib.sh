# Shared by the tests of saved reports: makes some. To be sourced; the runner's variables are used.
source "$SRC/tests/run/lib.sh"

build_scale() { # a program that prints a wrong number for 12, and dies of 77; scaled right in good/
	local source=$SRC/tests/cli/explain/scale.c
	build scale -g <"$source"
	mkdir -p good
	sed 's/factor = 3/factor = 2/' "$source" >good/scale.c
	(cd good && "$HENCE_CC" -g scale.c -o scale) || fail "cannot build good/scale"
}

# save CODE NAME COMMAND ARGS...: makes NAME.json with `hence COMMAND --save`, and NAME.txt with what it prints.
save() {
	hence_exits "$1" "$3" --save "$2.json" "${@:4}"
	mv out "$2.txt"
	[[ -s $2.json ]] || fail "nothing saved: hence ${*:3}"
}
