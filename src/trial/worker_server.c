/* The fork server of a worker: see worker_server.h. */
#include "trial/worker_server.h"

#include <stdlib.h>

#define MOST_DEATHS 3 /* of servers, then trials are executed */

struct hence_error *worker_server_start(struct worker_server *self)
{
	const struct room_options *options = self->room->options;
	struct room_command command;
	struct server_options server = {
		.path = self->program,
		.name = options->name,
		.directory = self->room->dir,
		.confine = confine_self,
		.confinement = self->confine,
		.mask = self->mask,
		.seconds = self->seconds,
		.cancel = self->cancel,
		.image = self->image,
		.experiments = self->experiments,
		.tape = self->tape,
	};
	struct hence_error *error = room_furnish(self->room, options->input, &command);
	struct input input = {0};

	if (error)
		return error;
	room_translate(self->room, options->input, &input);
	server.input = &input;
	server.environment = command.environment.at;
	error = server_start(&server, &self->server, &self->why);
	input_deinit(&input);
	room_command_deinit(&command);
	return error;
}

void worker_server_stop(struct worker_server *self)
{
	server_stop(self->server);
	self->server = NULL;
}

/* After the death of a server: another, but not for ever. */
static struct hence_error *replace(struct worker_server *self, struct hence_error *death)
{
	error_destroy(death);
	worker_server_stop(self);
	return ++self->deaths < MOST_DEATHS ? worker_server_start(self) : NULL;
}

struct hence_error *worker_server_try(struct worker_server *self, const struct input *input,
                                      const struct server_limits *limits, bool *done,
                                      struct trial_result *out)
{
	struct hence_error *error = NULL;
	struct input translated = {0};

	*done = false;
	/* The directory that the server stands in was removed and made again. */
	if (self->room->rebuilt && self->server) {
		self->room->rebuilt = false;
		worker_server_stop(self);
		error = worker_server_start(self);
	}
	if (!error)
		error = room_put_files(self->room, input);
	room_translate(self->room, input, &translated);
	while (!error && self->server && !*done) {
		error = server_try(self->server, &translated, limits, out);
		*done = !error;
		if (error)
			error = replace(self, error);
	}
	input_deinit(&translated);
	if (!error && *done) {
		out->forked = true;
		out->work = server_work(self->server);
		room_hide_scratch(self->room, &out->output);
	}
	return error;
}
