#!/bin/bash
# IR of another version of hence, a damaged IR section, and one that is gone.
source "$SRC/tests/run/lib.sh"
build prog <<'END'
int main(void) { return 0; }
END
run 0 -- ./prog
objcopy -O binary --only-section=.hence.ir --set-section-flags .hence.ir=alloc prog ir
[[ $(head -c 8 ir) == HENCE_IR ]] || fail "the section does not begin with HENCE_IR"

change() { # OFFSET BYTES: a copy of the program with these bytes of the section changed
	cp ir changed
	printf "$2" | dd of=changed bs=1 seek="$1" conv=notrunc status=none
	objcopy --update-section .hence.ir=changed prog other || fail objcopy
}

version=$(od -An -tu4 -j8 -N4 ir | tr -d ' ')
change 8 '\115\0\0\0'
run 2 -- ./other
only err "hence: ./other was built by another version of hence (protocol 77, this one has $version); rebuild it with this hence cc"

change 2 'x'
run 2 -- ./other
only err "hence: ./other: its section .hence.ir is corrupt (a module does not begin with HENCE_IR); rebuild it with hence cc"
change 32 '\377\377\377\377'
run 2 -- ./other
only err "hence: ./other: its section .hence.ir is corrupt (it ends inside a module); rebuild it with hence cc"
size=$(stat -c %s ir)
change $((size / 2)) '\0\1\2\3\4\5\6\7'
run 2 -- ./other
like err 'hence: .*/other.*(damaged|corrupt).*'
objcopy --remove-section .hence.ir prog other
run 2 -- ./other
only err "hence: ./other has lost its section .hence.ir; rebuild it with hence cc and do not remove the section"
