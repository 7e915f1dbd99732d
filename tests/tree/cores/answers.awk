# Compares what the solver answered with what must come (questions.awk), one line for each that is different; then how many files there
# were and how many questions, and how many of these it could not answer.
/^".*"$/ || /^[^ ]+ [^ ]+ (un)?sat$/ {
	gsub(/"/, "")
	split($0, asked, " ")
	files[asked[1]] = 1
	next
}

/^(sat|unsat|unknown)$/ {
	questions++
	if ($0 == "unknown")
		unknown++
	else if ($0 != asked[3])
		print asked[1] ": " (asked[2] == "all" ? "all together" : "without " asked[2]) " they are " $0
	next
}

{ print "the solver says: " $0 }

END {
	for (file in files)
		count++
	print count + 0, questions + 0, unknown + 0, "files, questions, unknown"
}
