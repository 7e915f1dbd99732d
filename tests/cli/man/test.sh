#!/bin/bash
# --help and the manual pages agree: every command has a page, every option of one is in the other, and pages name
# commands, options and pages that are there, also those of other commands and those in their examples.
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

# page FILE: its text without macros, fonts and escapes.
page() {
	sed -E -e '/^\.\\"/d' -e 's/^\.(TP|PP|SH|SS|IP|RS|RE|nf|fi|br|EX|EE|TH)\b.*//' -e 's/^\.(BR|BI|IR|RB|RI|IB|B|I) //' \
		-e 's/\\-/-/g' -e 's/\\f[BIRP]//g' -e 's/\\\(dq//g' -e 's/"([^"]*)"/\1/g' -e 's/\\&//g' "$1"
}

# calls: of a text on stdin, each 'hence COMMAND OPTIONS...' without what is not hence's: behind --, a pipe, a bracket. Texts in
# quotes are left out, since they may have options of the program.
calls() {
	sed -E "s/'[^']*'/X/g" | grep -oE '\bhence [a-z]+ [^|;)<>]*' | sed -E 's/ -- .*//'
}

# check_calls WHERE: complains about options of calls on stdin that their commands do not have.
check_calls() {
	local where=$1 line command option
	while read -r line; do
		command=${line#hence }
		command=${command%% *}
		[[ $command != cc && -f help.$command ]] || continue
		for option in $(options <<<"${line#hence "$command"}"); do
			grep -qxFe "$option" "help.$command" || complain "$where: hence $command has no $option"
		done
	done
}

commands=$("$HENCE" --help | sed -n 's/^  \([a-z]*\) .*/\1/p')
[[ $commands == *explain*eval* ]] || complain "hence --help lists no commands"
for command in $commands; do
	[[ $command != cc ]] || continue # its options are the compiler's
	"$HENCE" "$command" --help >help 2>err </dev/null || complain "hence $command --help: exit code $?: $(<err)"
	options <help >"help.$command"
done
for command in $commands; do
	name=docs/man/hence-$command.1
	file=$SRC/$name
	[[ -f $file ]] || {
		complain "hence $command has no page $name"
		continue
	}
	grep -qE "^\.TH HENCE-${command^^} 1 " "$file" || complain "$name has another title"
	grep -qE "^hence-$command \\\\- " "$file" || complain "$name has no line of what it is"
	for section in NAME SYNOPSIS DESCRIPTION 'EXIT STATUS' 'SEE ALSO'; do
		grep -qxE "\.SH \"?$section\"?" "$file" || complain "$name has no section $section"
	done
	page "$file" | grep -E '^(\$ |hence [a-z]+ )' | calls >examples
	check_calls "$name" <examples
	[[ $command != cc ]] || continue
	grep -vxE -e '-h|--help' "help.$command" >of_help
	# Behind hence cc stand options of the compiler.
	page "$file" | grep -vE '^(\$ |hence [a-z]+ )' | sed -E 's/hence[- ]cc -.*//' >prose
	options <prose | grep -vxE -e '-h|--help' >of_page
	for option in $(comm -23 of_help of_page); do
		complain "hence $command --help has $option, $name has not"
	done
	# A page may speak of an option of another command, right behind its name: 'hence run --io'.
	tr -s ' \n' ' ' <prose | grep -oE '\bhence [a-z]+ -[-a-z]+' | tee named | options >of_others
	check_calls "$name" <named
	for option in $(comm -13 of_help of_page | comm -23 - of_others); do
		complain "$name has $option, hence $command --help has not"
	done
done
page "$SRC/docs/man/hence.1" >overview
"$HENCE" --help >help
for command in $commands; do
	grep -qE "^hence-$command \(1\)$" overview || complain "docs/man/hence.1 does not have hence-$command(1)"
	summary=$(sed -n "s/^  $command  *//p" help)
	grep -qxF "$summary" overview || complain "docs/man/hence.1 does not say of $command: $summary"
done
for file in "$SRC"/docs/man/*.1; do
	command=$(basename "$file" .1)
	command=${command#hence-}
	[[ $command == hence || " ${commands//$'\n'/ } " == *" $command "* ]] || complain "$file is about no command"
	for other in $(page "$file" | grep -oE 'hence-[a-z]+ ?\(1\)' | sed -E 's/ ?\(1\)//' | sort -u); do
		[[ -f $SRC/docs/man/$other.1 ]] || complain "${file#"$SRC/"} names $other(1), which is not there"
	done
	# Where groff is installed (it is not needed), it must not complain.
	! command -v groff >/dev/null || groff -man -ww -z -Tascii "$file" >warnings 2>&1 || complain "groff fails on $file"
	[[ ! -s warnings ]] || complain "groff warns: $(head -3 warnings)"
done
exit "$bad"
