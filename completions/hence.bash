# Completion for bash. Commands and options are asked of hence itself, so that they are always those of the version that is installed.

_hence_commands() {
	"$1" --help 2>/dev/null | sed -n 's/^  \([a-z][a-z]*\)  *.*/\1/p'
}

# Lines 'OPTION <tab> words that it takes, if they are a few <tab> help'.
_hence_options() { # HENCE COMMAND
	"$1" help --options "$2" 2>/dev/null </dev/null
}

_hence_choices() { # HENCE COMMAND OPTION
	_hence_options "$1" "$2" | awk -F '\t' -v option="$3" '$1 == option { print $2 }'
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
	# After -- the program and its arguments stand: files, unless its own completion is there.
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
	if [[ $(_hence_choices "$1" "$command" "$before") ]]; then
		mapfile -t COMPREPLY < <(compgen -W "$(_hence_choices "$1" "$command" "$before")" -- "$word")
	elif [[ $word == -* ]]; then
		mapfile -t COMPREPLY < <(compgen -W "$(_hence_options "$1" "$command" | cut -f1) --" -- "$word")
	else
		mapfile -t COMPREPLY < <(compgen -f -- "$word")
	fi
}

complete -o filenames -F _hence hence
