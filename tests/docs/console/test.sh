#!/bin/bash
# What runs the commands of documents notices what it must: other output, a missing line, code and blocks that nobody checks.
set -u

fail() {
	echo "FAILED: $*"
	exit 1
}

# check CODE: console.py on the document of stdin ends with CODE; what it says is in out.
check() {
	cat >document.md
	/usr/bin/python3 "$SRC/tests/docs/console.py" document.md >out 2>&1
	local code=$?
	[[ $code == "$1" ]] || fail "exit code $code, not $1: $(<out)"
}

says() {
	grep -qF -e "$1" out || fail "it does not say: $1; but: $(<out)"
}

check 0 <<'END'
```console
$ cd examples
$ ls stock.c
stock.c
$ printf '12 experiments, 0.30 seconds; the run has 7\nstatements\n'
345 experiments, 1.25 seconds; the run has
7 statements
$ echo 'proven [3, 4]' 0x55aa; false
proven [17, 18] 0x1234
$ echo $?
1
$ seq 9
1
...
8
9
...
$ echo one \
  two
one two
```

<!-- not run -->
```
$ no such command
```

	indented, but no command
END
check 1 <<'END'
```console
$ echo one; echo two
one
three
```
END
says 'document.md:2: $ echo one; echo two'
says '-three'
says '+two'
check 1 <<'END'
```console
$ seq 5
1
...
4
```
END
check 1 <<'END'
```console
$ echo 'a[3] is 4; the run has 8 statements'
a[2] is 4; the run has 8 statements
```
END
check 1 <<'END'
```console
$ echo more
```
END
check 1 <<'END'
```console
$ echo '3 of 4 experiments hold'
4 of 4 experiments hold
```
END
check 2 <<'END'
	$ echo nobody runs me
END
says 'neither ```console nor marked'
check 2 <<'END'
```c
int not_in_any_example;
```
END
says 'int not_in_any_example;'
check 2 <<'END'
No command at all.
END
exit 0
