#!/bin/bash
# The front door: help, version, unknown commands, with their exit codes.
set -u

# expect CODE TEXT COMMAND...: the command exits with CODE and its output (both streams) has TEXT.
expect() {
	local code=$1 text=$2 output
	shift 2
	output=$("$@" 2>&1)
	[[ $? == "$code" ]] || { echo "$*: not exit code $code"; exit 1; }
	[[ $output == *"$text"* ]] || { echo "$*: no '$text' in: $output"; exit 1; }
}

expect 0 'Usage: hence COMMAND' "$HENCE" --help
expect 0 'Usage: hence COMMAND' "$HENCE" help
expect 2 'Usage: hence COMMAND' "$HENCE"
expect 0 'hence run [OPTIONS] -- PROGRAM' "$HENCE" help run
expect 2 "hence: unknown command 'rnu'; did you mean 'run'?" "$HENCE" rnu
expect 2 "hence: unknown command 'rnu'; did you mean 'run'?" "$HENCE" help rnu
expect 2 "hence: unknown command 'xyzzy'; 'hence --help' lists them" "$HENCE" xyzzy
expect 0 'hence 0.1.0 (LLVM ' "$HENCE" --version
expect 0 "clang version" "$HENCE_CC" --version
expect 4 'hence: cannot write to standard output' bash -c '"$HENCE" --help >/dev/full'

# Errors go to stderr, help that was asked for to stdout.
[[ -z $("$HENCE" xyzzy 2>/dev/null) ]] || { echo "an error on stdout"; exit 1; }
[[ -z $("$HENCE" --help 2>&1 >/dev/null) ]] || { echo "help on stderr"; exit 1; }

# Every command that is listed exists and has help of its own.
names=$("$HENCE" --help | sed -n 's/^  \([a-z]*\) .*/\1/p')
[[ $names == *run* ]] || { echo "no commands listed"; exit 1; }
for name in $names; do
	expect 0 "hence $name" "$HENCE" help "$name"
	expect 0 "'hence $name --help' shows its options" "$HENCE" help "$name"
done
