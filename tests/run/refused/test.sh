#!/bin/bash
# What cannot be run: each has its message and exit code 2.
source "$SRC/tests/run/lib.sh"
refused() { # MESSAGE ARGS...
	local message=$1
	shift
	run 2 "$@"
	only err "hence: $message"
	[[ ! -s out ]] || fail "output"
}

refused "cannot run ./prog: no such file" -- ./prog
refused "cannot run ./prog: no such file" ./prog
refused "cannot run no-such-program-anywhere: no such file" -- no-such-program-anywhere
refused "cannot run : no such file" -- ""
mkdir folder
refused "cannot run ./folder: it is a directory" -- ./folder

build prog <<'END'
int main(void) { return 0; }
END
cp prog unreadable
chmod a-x unreadable
refused "cannot run ./unreadable: no permission to execute it (chmod +x?)" -- ./unreadable

"$CLANG" prog.c -o plain
refused "./plain was not built with hence cc; rebuild with CC=hence-cc, or use 'hence build -- make'" -- ./plain
mkdir bin
cp plain bin/some-plain-program
PATH=$PWD/bin:$PATH refused "some-plain-program was not built with hence cc; rebuild with CC=hence-cc, or use 'hence build -- make'" -- \
	some-plain-program

printf '#!/bin/sh\n./plain\nexit 5\n' >test.sh
chmod +x test.sh
refused "nothing that ./test.sh ran was built with hence cc; rebuild with CC=hence-cc, or use 'hence build -- make'" -- ./test.sh
printf '#!/no/such/interpreter\n' >bad.sh
chmod +x bad.sh
refused "cannot run ./bad.sh: No such file or directory" -- ./bad.sh
printf '\177ELF and nothing more' >broken
chmod +x broken
run 2 -- ./broken
like err 'hence: .*\./broken.*'

refused "no program given; use 'hence run [OPTIONS] -- ./prog ARGS'"
refused "no program given; use 'hence run [OPTIONS] -- ./prog ARGS'" --
refused "hence run has no option --tiemout; did you mean --timeout?" --tiemout 3 -- ./prog
refused "hence run has no option --xyzzyxyzzy; see 'hence run --help'" --xyzzyxyzzy -- ./prog
refused "--timeout needs a value; see 'hence run --help'" --timeout
refused "--timeout needs a value; see 'hence run --help'" --timeout -- ./prog
refused "--timeout -3: give a number of seconds above 0" --timeout -3 -- ./prog
refused "--timeout 3s: give a number of seconds above 0" --timeout=3s -- ./prog
refused "--tape-limit 5: give a size of at least 1M, like 500M or 20G" --tape-limit 5 -- ./prog
refused "--tape-limit -5G: give a size of at least 1M, like 500M or 20G" --tape-limit -5G -- ./prog
refused "--no-walk takes no value" --no-walk=1 -- ./prog
refused "--stdin: cannot read nowhere: No such file or directory" --stdin nowhere -- ./prog
refused "--stdin: folder is a directory" --stdin folder -- ./prog
refused "--account: cannot write nowhere/file: No such file or directory" --account nowhere/file -- ./prog
refused "--account: cannot write folder: Is a directory" --account folder -- ./prog
refused "--io: cannot write folder: Is a directory" --io folder -- ./prog
refused "--io needs the walk; leave out --no-walk" --io file --no-walk -- ./prog
run 2 --models nowhere.model -- ./prog
like err 'hence: .*nowhere\.model.*'
