/*
 * Asks whether inputs fail: runs them (trial.h), judges the runs (oracle.h), and remembers the answers,
 * so that no input is run twice in a search, whatever it was made from. With `repeat` an answer counts
 * only if that many runs agree; runs that do not are counted, and the input is unresolved.
 */
#ifndef HENCE_REDUCE_ASKER_H
#define HENCE_REDUCE_ASKER_H

#include "base/map.h"
#include "reduce/reduce.h"

MAP_DEFINE_U64(asker_cache, uint8_t);

struct asker_question; /* under way */

struct asker_answer {
	uint64_t id;
	enum verdict verdict;
};

struct asker {
	const struct reduce_options *options;
	struct trials_options settings;
	struct trials *trials;
	struct oracle oracle; /* if the failing input fails */
	char *ended;          /* how its run did */
	struct str output;    /* its output */
	bool given;           /* the inputs to judge are those that the user says pass */
	char *confined; /* a system call of the failing run that confinement refused; NULL: none */
	char *how;      /* the last of these ended; NULL: there was none */
	bool alike;     /* the last of these prints what the failing input does, and exits well */
	uint32_t room;  /* questions that may be under way */
	struct asker_cache cache;
	VEC(struct asker_question *) open;
	VEC(struct asker_answer) known; /* not waited for yet */
	uint64_t serial;                /* of the last trial */
	uint64_t tests, cached, verdicts[3];
	struct reduce_flaky flaky;
	struct reduce_progress progress; /* the search writes what is tried */
	double began;                    /* time */
};

/* Starts the workers and runs the failing input; *end is REDUCE_DONE if it fails, and if it is
   REDUCE_NOT_KNOWN nothing can be asked. It must not move afterwards. Caller ends it with asker_finish(), not after an error. */
MUST_USE struct hence_error *asker_init(struct asker *asker, const struct reduce_options *options,
                                        enum reduce_end *end);

/* Ends the workers; what was found out about the failure goes to the result. */
void asker_finish(struct asker *asker, struct reduce_result *result);

/* An answer that somebody knows. */
void asker_tell(struct asker *asker, const struct input *input, enum verdict verdict);

/* Begins to find out; `id` comes back with the verdict. At most `room` may be under way. */
MUST_USE struct hence_error *asker_start(struct asker *asker, const struct input *input,
                                         uint64_t id);

/* Waits for any of those that were begun. After a moment without any it gives the id ASKER_NONE, so that
   somebody can find out whether the search is to end. */
#define ASKER_NONE UINT64_MAX
MUST_USE struct hence_error *asker_wait(struct asker *asker, uint64_t *id, enum verdict *out);

/* The answer is not wanted any more and will not come. */
void asker_cancel(struct asker *asker, uint64_t id);

/* Asks and waits. Nothing else is under way. Unresolved, if the search is to end. */
MUST_USE struct hence_error *asker_ask(struct asker *asker, const struct input *input,
                                       enum verdict *out);

/* The verdict on an input, if it is known without a run. */
bool asker_knows(const struct asker *asker, const struct input *input, enum verdict *out);

/* Does somebody want the search to end? */
bool asker_stops(const struct asker *asker);

/* Seconds since the beginning. */
double asker_seconds(const struct asker *asker);

#endif
