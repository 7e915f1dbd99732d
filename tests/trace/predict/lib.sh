# shellcheck shell=bash
# For the tests that predict what a program prints. Sourced.

# predicts PROGRAM ARGUMENT...: records a run of it, decodes the tape with ./predict (predict.c here), and
# compares. Leaves actual, predicted, complaints, and session, the folder with the tape. False: the decoder
# complained or predicted something else. `hence run` removes its tapes, so they are copied; what runs inside it
# is under ptrace, where a sanitized tool cannot look for leaks.
predicts() {
	rm -rf session actual predicted complaints
	# shellcheck disable=SC2016 # expanded by the inner shell
	timeout 60 "$HENCE" run --no-walk --account /dev/null -- bash -c \
		'"$@" >actual 2>actual.err
		cp -r --sparse=always "$HENCE_SESSION" session' x "$@" >run.log 2>&1
	timeout 60 ./predict "$B/models" "$PWD/session" >predicted 2>complaints && cmp -s actual predicted
}
