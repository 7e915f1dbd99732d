# Makes of files that `hence tree --smt` wrote one file for an SMT solver: for each of them whether all assertions with a name
# contradict each other, and then whether the others do without the first, the second, ... Before each answer a line says what must
# come: FILE: 'all' or the name that is left out, and the answer.
function ask(what, answer, without,   i) {
	print "(echo \"" file " " what " " answer "\")"
	print "(push 1)"
	for (i = 0; i < count; i++)
		if (i != without)
			print "(assert " all[i] ")"
	print "(check-sat)"
	print "(pop 1)"
}

function finish(   i) {
	if (file == "")
		return
	ask("all", "unsat", -1)
	for (i = 0; i < count; i++)
		ask("a" i, "sat", i)
	print "(reset)"
}

FNR == 1 {
	finish()
	file = FILENAME
	count = 0
}

/:named/ {
	sub(/^\(assert \(! /, "")
	sub(/ :named .*/, "")
	all[count++] = $0
	next
}

!/^\(check-sat\)/

END { finish() }
