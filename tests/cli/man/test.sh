#!/bin/bash
# --help and the manual pages agree: every command has a page, every option of one is in the other, and pages name
# commands and pages that are there.
set -u
bad=0

complain() {
	echo "FAILED: $*"
	bad=1
}

# options: those that a text on stdin has, one a line.
options() {
	grep -oE -- '(^|[^-[:alnum:]_/.])(--[a-z][-a-z0-9]*|-[a-zA-Z])\b' | grep -oE -- '--?[a-zA-Z][-a-z0-9]*' | sort -u
}

# page FILE: its text without macros, fonts and escapes. What is in quotes on a line of its own (an example) stays.
page() {
	sed -E -e '/^\.\\"/d' -e 's/^\.(TP|PP|SH|SS|IP|RS|RE|nf|fi|br|EX|EE|TH)\b.*//' -e 's/^\.(BR|BI|IR|RB|RI|IB|B|I) //' \
		-e 's/\\-/-/g' -e 's/\\f[BIRP]//g' -e 's/"([^"]*)"/\1/g' -e 's/\\&//g' "$1"
}

commands=$("$HENCE" --help | sed -n 's/^  \([a-z]*\) .*/\1/p')
[[ $commands == *explain*eval* ]] || complain "hence --help lists no commands"
for command in $commands; do
	file=$SRC/docs/man/hence-$command.1
	[[ -f $file ]] || {
		complain "hence $command has no page docs/man/hence-$command.1"
		continue
	}
	grep -qE "^\.TH HENCE-${command^^} 1 " "$file" || complain "$file has another title"
	grep -qE "^hence-$command \\\\- " "$file" || complain "$file has no line of what it is"
	[[ $command != cc ]] || continue # its options are the compiler's
	"$HENCE" "$command" --help >help 2>err </dev/null || complain "hence $command --help: exit code $?: $(<err)"
	options <help | grep -vxE -e '-h|--help' >of_help
	page "$file" | options | grep -vxE -e '-h|--help' >of_page
	for option in $(comm -23 of_help of_page); do
		complain "hence $command --help has $option, docs/man/hence-$command.1 has not"
	done
	# A page may speak of options of other commands, which it names before them: 'hence run --save'.
	page "$file" | tr -s ' \n' ' ' | grep -oE 'hence[- ][a-z]+(\(1\))? (-[-a-zA-Z]+ )*-[-a-zA-Z]+' | options >of_others
	for option in $(comm -13 of_help of_page | comm -23 - of_others); do
		complain "docs/man/hence-$command.1 has $option, hence $command --help has not"
	done
done
for file in "$SRC"/docs/man/*.1; do
	command=$(basename "$file" .1)
	command=${command#hence-}
	[[ $command == hence || " ${commands//$'\n'/ } " == *" $command "* ]] || complain "$file is about no command"
	for other in $(page "$file" | tr -s ' ' '\n' | grep -oE 'hence-[a-z]+ ?\(1\)' | sed -E 's/ ?\(1\)//' | sort -u); do
		[[ -f $SRC/docs/man/$other.1 ]] || complain "$file names $other(1), which is not there"
	done
done
exit "$bad"
