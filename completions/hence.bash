# Completion for bash. Commands and options are asked of hence itself, so that they are always those of the version that is installed.

_hence_commands() {
	"$1" --help 2>/dev/null | sed -n 's/^  \([a-z][a-z]*\)  *.*/\1/p'
}

_hence_options() { # HENCE COMMAND: the options that its lines of help begin with, and their short forms
	"$1" "$2" --help 2>/dev/null </dev/null |
		sed -nE 'h; s/^  (-[^ ,]+)(, (-[^ ]+))?.*/\1 \3/p; g; s/.*\((--[a-z]+) for short\).*/\1/p' | sed 's/\[=.*\]//g'
	echo --help
}

# Words that an option takes, of those that take one of a few.
_hence_choices() { # OPTION
	case $1 in
	--format) echo text json sarif html dot gcc ;;
	--color) echo auto always never ;;
	--by) echo auto lines tokens bytes records= ;;
	--method) echo all compare chain transitions tree ;;
	--algorithm) echo dependence hierarchical ;;
	--formula) echo ochiai tarantula dstar ;;
	esac
}

_hence() {
	local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} command=${COMP_WORDS[1]-} i

	COMPREPLY=()
	if [[ $COMP_CWORD == 1 ]]; then
		mapfile -t COMPREPLY < <(compgen -W "$(_hence_commands "$1") help --help --version" -- "$word")
		return
	fi
	if [[ $command == help ]]; then
		mapfile -t COMPREPLY < <(compgen -W "$(_hence_commands "$1")" -- "$word")
		return
	fi
	# Behind -- the program and its arguments stand: files, unless its own completion is there.
	for ((i = 2; i < COMP_CWORD; i++)); do
		if [[ ${COMP_WORDS[i]} == -- ]]; then
			if declare -F _command_offset >/dev/null; then
				_command_offset $((i + 1))
			else
				mapfile -t COMPREPLY < <(compgen -f -- "$word")
			fi
			return
		fi
	done
	# bash gives '=' as a word of its own.
	[[ $word != = ]] || word=
	[[ $before != = || $COMP_CWORD -lt 3 ]] || before=${COMP_WORDS[COMP_CWORD - 2]}
	if [[ $(_hence_choices "$before") ]]; then
		mapfile -t COMPREPLY < <(compgen -W "$(_hence_choices "$before")" -- "$word")
	elif [[ $word == -* ]]; then
		mapfile -t COMPREPLY < <(compgen -W "$(_hence_options "$1" "$command") --" -- "$word")
	else
		mapfile -t COMPREPLY < <(compgen -f -- "$word")
	fi
}

complete -o filenames -F _hence hence
