# The references that a program of chain/ or compare/ has, and what hence is told about each: for check and the benchmarks. `given` is
# what the case's `command` has before `--`; the corrected program is ../fixed-hence/prog.

references() {
	echo ideal
	[[ " ${given[*]} " != *' --pass'* ]] || echo pass
	[[ ! -f $CASE/critical ]] || echo patched
}

# Sets `options`.
options_for() { # REFERENCE
	local i
	options=(--no-reduce)
	for ((i = 0; i < ${#given[@]}; i++)); do
		case $1:${given[i]} in
		ideal:--expect* | ideal:--pass* | patched:--pass*) i=$((i + 1)) ;;
		*) options+=("${given[i]}") ;;
		esac
	done
	[[ $1 != ideal ]] || options+=(--pass-prog ../fixed-hence/prog)
}
