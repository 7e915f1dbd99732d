#!/bin/bash
# A calculator in two files, with a stack on the heap, recursion and strings. The expected lines follow from the source by hand.
source "$SRC/tests/slice/cli_lib.sh"
cp "$CASE"/*.[ch] .
"$HENCE_CC" -o calc calc.c stack.c || fail "cannot build"
sum=(-- ./calc 2 3 ^ 1 +)

# The result, byte 15 of 'N words, result 9': not the counting of words, the label, nor the depth.
stack=9,11,12,13,19,20,22,25
slice_is "calc.c:8,9,10,11,17,18,19,20,21,24,33,35,36,38,41,43 stack.c:$stack" --output 15 "${sum[@]}"
slice 0 --output 15 "${sum[@]}"
has out 'backward slice of byte 15 of standard output, "9" at calc.c:43 in main(): 24 of 34 executed lines (of 35)'
has out 'it was printed by printf("%s %ld\n", "result", 9) = 9'
like out '>  43 printf\("%s %ld\\n", label, result\);  +printf\("%s %ld\\n", "result", 9\) = 9'
like out ' +10 +return base \* power\(base, n - 1\);  +call power\(base = 2, n = 2\) \.\.\. call power\(base = 2, n = 0\) x3; \(return value\) = 2 \.\.\. \(return value\) = 8 x3'

# The label: only where it was copied, and what decided that nothing else was printed.
slice_is 'calc.c:40,43' --output 9 "${sum[@]}"

# The number of words.
slice_is 'calc.c:29,33,34' --at calc.c:42:words "${sum[@]}"
slice 0 --at calc.c:42:words "${sum[@]}"
has out 'backward slice of words = 5 at calc.c:42 in main(): 3 of 34 executed lines (of 35)'
like out ' +34 +words\+\+;  +words = 1 \.\.\. words = 5 x5'
like out '>  42 printf.*'

# A global of another file, at the first execution of a line.
slice_is 'calc.c:33,35,38 stack.c:14' --at stack.c:14:depth --instance 1 "${sum[@]}"
slice_is 'stack.c:14' --data --at stack.c:14:depth --instance 1 "${sum[@]}"

# The operand that lay below another on the stack: the first pop() made it the top.
slice_is "calc.c:17,18,33,35,36,38 stack.c:$stack" --at calc.c:18:a --instance 1 "${sum[@]}"

# Recursion: the innermost call of power() returned 1 since n is 0.
slice_is "calc.c:8,9,10,17,19,21,24,33,35,36,38 stack.c:9,11,13,19,20,25" --at calc.c:9 "${sum[@]}"
