# Is a chain the expected one? awk -f chain.awk EXPECTED STEPS: exit code 0 if it is. README.md here and in
# ../chain say what the lines are.

function trim(s)
{
	gsub(/^ +| +$/, "", s)
	return s
}

# Does a step say what is expected? A line may be a range; ? stands for anything.
function agrees(want, step,    count, x, y, i, p, q, range, last, low, high)
{
	count = split(want, x, "|")
	if (split(step, y, "|") != count)
		return 0
	for (i = 2; i <= count; i++)
		if (trim(x[i]) != "?" && trim(x[i]) != trim(y[i]))
			return 0
	split(trim(x[1]), p, ":")
	split(trim(y[1]), q, ":")
	if (p[1] != q[1])
		return 0
	last = split(p[2], range, "-")
	low = range[1] + 0
	high = range[last] + 0
	return (low <= high ? low : high) <= q[2] && q[2] <= (low <= high ? high : low)
}

# Are the steps from j on what the lines from i on say?
function fits(i, j)
{
	if (i > wanted)
		return j > got
	if (want[i] == "...")
		return fits(i + 1, j) || (j <= got && fits(i, j + 1))
	if (want[i] ~ /^\* /)
		return fits(i + 1, j) || (j <= got && agrees(substr(want[i], 3), step[j]) && fits(i + 1, j + 1))
	return j <= got && agrees(want[i], step[j]) && fits(i + 1, j + 1)
}

FNR == NR && /^#/ { next }
FNR == NR { want[++wanted] = $0; next }
{ step[++got] = $0 }
END { exit !fits(1, 1) }
