#!/bin/bash
# A program whose output, arguments, values, comments and names try to break every printer: no report of it has a byte
# that a terminal obeys, a tag, a placeholder or a line too many, and all can be read by who must read them.
source "$SRC/tests/run/lib.sh"
[[ -x /usr/bin/python3 ]] && /usr/bin/python3 -c 'import jsonschema' || fail "there is no python3 with jsonschema; run scripts/deps"

# Raw bytes: escapes of terminals, markup, quotes, placeholders, what is no UTF-8, U+202E, U+FFFF; and a carriage return, which ends a
# line for compilers.
nasty=$'</script><img src=x onerror=alert(1)> </title><!-- \e[7;45m \e]0;x\a \x01\x7f\x9b " \\N \\" ]; {0} [y](1) %n%s \xff\xfe \xe2\x80\xae \xef\xbf\xbf &lt; \' ` \r'
file=$'main <img src=x onerror=alert(2)> & "\'%s%41 #{0} \\N]; \e[7;45m \xff\xe2\x80\xae.c'
mkdir -p $'a:7:1: error: b\n\e[7;45m <'
line=$'a:7:1: error: b\n\e[7;45m </script>"{0} \\N] \xc3\xa9.c'
named='a:7:1: error: b\n\033[7;45m </script>\"{0} \\N] é.c'
argument=$'</script><img src=x onerror=alert(4)> "{0}\\N];\e[7;45m\n\t\x01\x7f\xe2\x80\xae \xef\xbf\xbf %n'

text=$(<"$CASE/hostile.c")
text=${text//@NASTY@/"$nasty"}
text=${text//@LINE@/"$named"}
printf '%s\n' "$text" >"$file"
# The second #line names a file that is there, so that its lines are shown, too.
sed -n '/^#line 3/,/^#line 1/p' <<<"$text" | sed '1s/.*/\n/' >"$line"
"$HENCE_CC" -w -g "$file" -o hostile || fail "cannot build it"

# render NAME ARGS...: NAME.FORMAT for every format. What `hence show` prints is what explain does (../roundtrip), and takes less time.
render() {
	local name=$1 format
	hence_exits 0 explain --no-reduce --save "$name.json" -o "$name.text" "${@:2}"
	[[ ! -s out && ! -s err ]] || fail "it prints besides -o"
	for format in sarif html dot gcc; do
		hence_exits 0 show --format $format -o "$name.$format" "$name.json"
		[[ ! -s out && ! -s err ]] || fail "it prints besides -o"
	done
}
render output --expect-text '-fine' --pass ok -- ./hostile "$argument"
render check --pass ok -- ./hostile "!$argument"
"$HENCE" show --color=always output.json >output.coloured || fail "no colours"

printf '%s' "$file" >name.file
printf '%s' "$line" >name.line
printf '%s' "$argument" >name.argument
printf '%s' "$nasty" >name.nasty
PYTHONPATH=$SRC/tests/report /usr/bin/python3 -B "$CASE/check.py" output check >out 2>&1 || fail "a printer was broken"
