#!/bin/bash
# All C files are formatted as .clang-format says, by clang-format 14: other versions break some lines elsewhere.
version=$(clang-format --version) || exit 1
[[ $version == *' 14.'* ]] || {
	echo "needs clang-format 14; this is $version"
	exit 77
}
cd "$SRC" && make --no-print-directory -s check-format 2>&1 | grep -m 20 'error:'
[[ ${PIPESTATUS[0]} == 0 ]]
