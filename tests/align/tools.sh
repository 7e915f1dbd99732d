# Sourced by the tests here: builds the tools in the present folder.
export TOOLS=$PWD FOLDER=$CASE/..

fail() {
	echo "$*"
	exit 1
}

read -ra words <"$B/flags"
llvm=${words[-2]}
flags=(-std=gnu11 -O2 -g -Wall -Wextra -Wshadow -D_GNU_SOURCE)
gcc "${flags[@]}" -o generate "$FOLDER/generate.c" || fail "cannot build generate"
gcc "${flags[@]}" -o paths "$FOLDER/paths.c" "$FOLDER/graph.c" || fail "cannot build paths"
gcc "${flags[@]}" -c -o log.o "$FOLDER/log.c" || fail "cannot build log.o"
# shellcheck disable=SC2046 # words of llvm-config
gcc "${flags[@]}" -isystem "$("$llvm" --includedir)" -o logger "$FOLDER/logger.c" \
	$("$llvm" --ldflags --libs) || fail "cannot build logger"
"$SRC/scripts/build-tool" "$B" ours "$FOLDER/ours.c" || fail "cannot build ours"
