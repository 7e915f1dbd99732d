# Is a cause tree what is expected? awk -f tree.awk -v fault=FILE FLAT EXPECTED: says what is not, and in the end where the fault is;
# exit code 1 if something is wrong. FLAT is the JSON of `hence tree` by flatten; README.md here says what the lines of EXPECTED are.

function complain(text)
{
	print text
	wrong = 1
}

function base(name)
{
	sub(/.*\//, "", name)
	return name
}

# FILE:LINE of what is at a path of the JSON.
function place_at(path)
{
	return path ".line" in json ? base(json[path ".file"]) ":" json[path ".line"] : "nowhere"
}

# A line of the only file needs no name.
function place(word)
{
	return word ~ /:/ ? word : default_file ":" word
}

# --- the tree by itself ---

# Is VALUE one of the elements of an array?
function has_element(path, value,    i)
{
	for (i = 0; path "[" i "]" in json; i++)
		if (json[path "[" i "]"] == value)
			return 1
	return 0
}

function check_node(i,    path, parent, k, child)
{
	path = ".nodes[" i "]"
	if (json[path ".number"] != i + 1)
		complain("node " i + 1 " has the number " json[path ".number"])
	parent = json[path ".parent"]
	if (i == 0 && (parent != 0 || json[path ".level"] != 0 || json[path ".reason"] != "failure"))
		complain("node 1 is not the root")
	if (i > 0 && !has_element(".nodes[" parent - 1 "].children", i + 1))
		complain("node " i + 1 " is not among the children of " parent)
	if (i > 0 && json[path ".level"] != json[".nodes[" parent - 1 "].level"] + 1)
		complain("node " i + 1 " has the wrong level")
	for (k = 0; path ".children[" k "]" in json; k++) {
		child = json[path ".children[" k "]"]
		if (json[".nodes[" child - 1 "].parent"] != i + 1)
			complain("node " child " is a child of " i + 1 " and does not know it")
	}
	for (k = 0; path ".again[" k "]" in json; k++)
		if (!(".nodes[" json[path ".again[" k "]"] - 1 "].number" in json))
			complain("node " i + 1 " refers to a node that is not there")
}

function check_proofs(i,    path, k, proof, proven)
{
	path = ".nodes[" i "]"
	for (k = 0; path ".proof[" k "].outcome" in json; k++) {
		proof = path ".proof[" k "]"
		if (json[proof ".from"] == json[proof ".to"])
			complain("node " i + 1 ": an experiment changes nothing: " json[proof ".changed"])
		if (json[proof ".counts"] == "true" && json[proof ".outcome"] != "pass")
			complain("node " i + 1 ": an experiment counts that does not pass")
		if (json[proof ".counts"] == "true")
			proven = 1
	}
	if ((json[path ".proven"] == "true") != (proven == 1))
		complain("node " i + 1 " says proven: " json[path ".proven"] ", but its experiments do not")
	all_proven += proven
}

function check_tree(    i)
{
	for (i = 0; i < count; i++) {
		check_node(i)
		check_proofs(i)
	}
	if (json[".stats.nodes"] != count)
		complain(count " nodes, but it says " json[".stats.nodes"])
	if (json[".stats.proven"] != all_proven)
		complain(all_proven + 0 " nodes are proven, but it says " json[".stats.proven"])
	if (json[".stats.inside"] + 0 > json[".stats.instances"] + 0)
		complain("more instances in the tree than were executed")
}

# --- what is expected ---

# Is the place one of the node's statements, or its condition?
function is_in(i, where,    k)
{
	if (place_at(".nodes[" i "]") == where)
		return 1
	for (k = 0; ".nodes[" i "].cause[" k "].line" in json; k++)
		if (place_at(".nodes[" i "].cause[" k "]") == where)
			return 1
	return 0
}

# The places of a node, each once.
function places(i,    k, where, seen, text)
{
	for (k = -1; k < 0 || ".nodes[" i "].cause[" k "].line" in json; k++) {
		where = place_at(".nodes[" i "]" (k < 0 ? "" : ".cause[" k "]"))
		if (!(where in seen))
			text = text " " where
		seen[where] = 1
	}
	return text
}

function agrees(i, how, wanted, lines, level,    k, all)
{
	if (level != "" && json[".nodes[" i "].level"] > level)
		return 0
	for (k = 1; k <= wanted; k++)
		if (!is_in(i, lines[k]))
			return 0
	return how != "is" || split(places(i), all, " ") == wanted
}

function node_line(i)
{
	return "    level " json[".nodes[" i "].level"] " " json[".nodes[" i "].reason"] ":" places(i)
}

# REASON PLACE [is|has PLACE...] [level N]
function expect_node(    i, k, how, lines, wanted, level, near)
{
	for (k = 3; k <= NF; k++) {
		if ($k == "is" || $k == "has")
			how = $k
		else if ($k == "level")
			level = $(++k)
		else
			lines[++wanted] = place($k)
	}
	for (i = 0; i < count; i++) {
		if (place_at(".nodes[" i "]") != place($2) || ($1 != "any" && json[".nodes[" i "].reason"] != $1))
			continue
		if (agrees(i, how, wanted, lines, level))
			return
		near = near "\n" node_line(i)
	}
	complain("not in the tree: " $0 (near ? ", but" near : ""))
}

# proven PLACE branch, or proven PLACE VARIABLE VALUE
function expect_proven(    i, k, proof)
{
	for (i = 0; i < count; i++)
		for (k = 0; ".nodes[" i "].proof[" k "].outcome" in json; k++) {
			proof = ".nodes[" i "].proof[" k "]"
			if (json[proof ".counts"] != "true" || place_at(proof) != place($2))
				continue
			if ($3 == "branch" && json[proof ".kind"] == "branch")
				return
			if (($3 == "?" || $3 == json[proof ".changed"]) && ($4 == "?" || $4 == json[proof ".to"]))
				return
		}
	complain("not proven: " $0)
}

# The first level that has a place; -1: none.
function level_of(where,    i, level)
{
	level = -1
	for (i = 0; i < count; i++)
		if (is_in(i, where) && (level < 0 || json[".nodes[" i "].level"] < level))
			level = json[".nodes[" i "].level"]
	return level
}

function expect_absent()
{
	if (level_of(place($2)) >= 0)
		complain("in the tree, at level " level_of(place($2)) ": " $2)
}

# Each line of the file is a fault; of several places in it one is enough.
function find_fault(    line, words, n, k, level, best)
{
	while ((getline line <fault) > 0) {
		best = -1
		n = split(line, words, " ")
		faults[++fault_count] = line
		for (k = 1; k <= n; k++) {
			level = level_of(words[k])
			if (level >= 0 && (best < 0 || level < best))
				best = level
		}
		if (best < 0)
			complain("the fault is not in the tree: " line)
		if (best > fault_level && fault_level >= 0 || best < 0)
			fault_level = best
	}
}

# Instances that somebody looks at who reads the nodes in their printed order, down to the one with the last fault.
function read_until(    top, todo, i, k, last, seen, left, size)
{
	left = fault_count
	todo[top = 1] = 1
	while (top > 0 && left > 0) {
		i = todo[top--] - 1
		size += json[".nodes[" i "].size"]
		for (k = 1; k <= fault_count; k++)
			if (!(k in seen) && has_one_of(i, faults[k])) {
				seen[k] = 1
				left--
			}
		for (last = 0; ".nodes[" i "].children[" last "]" in json; last++)
			;
		while (last > 0)
			todo[++top] = json[".nodes[" i "].children[" --last "]"]
	}
	return size + 0
}

function has_one_of(i, line,    words, n)
{
	for (n = split(line, words, " "); n > 0; n--)
		if (is_in(i, words[n]))
			return 1
	return 0
}

BEGIN {
	FS = "\t"
	count = fault_level = 0
}
FNR == NR {
	sub(/^\.tree/, "", $1)
	json[$1] = $2
	next
}
FNR == 1 {
	while (".nodes[" count "].number" in json)
		count++
	if (count == 0)
		complain("no nodes")
	default_file = place_at(".nodes[0]")
	sub(/:.*/, "", default_file)
	check_tree()
	find_fault()
	FS = " "
}
{ $0 = $0 }
/^#/ || NF == 0 { next }
$1 == "absent" { expect_absent(); next }
$1 == "some" {
	if (level_of(place($2)) < 0)
		complain("not in the tree: " $2)
	next
}
$1 == "proven" { expect_proven(); next }
$1 == "nodes" {
	if (count != $2)
		complain(count " nodes instead of " $2)
	next
}
$1 == "level" {
	if (fault_level > $2)
		complain("the fault is at level " fault_level " instead of " $2)
	next
}
$1 ~ /^(failure|direct|indirect|address|missed|any)$/ { expect_node(); next }
{ complain("what does this mean: " $0) }
END {
	printf "fault at level %d of %d nodes, %d of them proven, %.1f %% of %d instances (%d read), %d lines, %d solver calls, %d experiments, %.2f s\n",
		fault_level, count, all_proven, json[".stats.inside"] * 100 / (json[".stats.instances"] + !json[".stats.instances"]),
		json[".stats.instances"], read_until(), json[".stats.lines"], json[".stats.solver_calls"], json[".stats.experiments"], json[".stats.seconds"]
	exit wrong
}
