# shellcheck shell=bash
# For the tests that predict what a program prints. Sourced.

# predicts PROGRAM ARGUMENT...: records a run of it, decodes the tape with ./predict (predict.c here), and
# compares. Leaves actual, predicted, complaints, and session, the folder with the tape, if KEEP is set. False:
# the decoder complained or predicted something else. The tape is read before `hence run` ends, which removes it;
# that is under ptrace, where leaks cannot be looked for.
predicts() {
	rm -f verdict actual predicted complaints
	timeout 60 "$HENCE" run --no-walk --account /dev/null -- bash -c \
		'"$@" >actual 2>actual.err
		ASAN_OPTIONS=detect_leaks=0 ./predict "$B/models" "$HENCE_SESSION" >predicted 2>complaints
		echo $? >verdict
		[[ ! ${KEEP-} ]] || cp -r --sparse=always "$HENCE_SESSION" session' x "$@" >run.log 2>&1
	[[ -f verdict && $(<verdict) == 0 ]] && cmp -s actual predicted
}
