#!/bin/bash
# Without LLVM, or with one that is not supported, `make` stops with one line that says so.
set -u

check() { # TEXT MAKE-ARGUMENTS...: one line, which has TEXT
	local text=$1 output
	shift
	output=$(make -s -C "$SRC" -j2 B="$PWD/build" "$@" 2>&1) && { echo "make worked: $*"; exit 1; }
	[[ $output == *"$text"* && $output != *$'\n'* ]] || { echo "$*: $output"; exit 1; }
}

mkdir path
for tool in bash gcc make; do
	ln -s "$(command -v $tool)" path/
done
PATH=$PWD/path check 'hence: no LLVM found; run scripts/deps'
check 'hence: no LLVM found' LLVM_CONFIG=/nowhere/llvm-config

printf '#!/bin/sh\necho 14.0.6\n' >llvm-config
chmod +x llvm-config
check 'LLVM 14' LLVM_CONFIG="$PWD/llvm-config"

# A library that is missing: a compiler that finds no zstd.h
printf '#!/bin/sh\n[ "$1" != -isystem ] || exec sed -n s/libzstd-dev/libzstd-dev/p\nexec gcc "$@"\n' >nozstd
chmod +x nozstd
check 'hence: missing libzstd-dev; run scripts/deps' CC="$PWD/nozstd"
