/* The fork server of a worker, and its experiments: see worker_server.h. */
#include "trial/worker_server.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/orders.h"

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
		if (error) {
			/* After the death of a server: another, but not for ever. */
			error_destroy(error);
			worker_server_stop(self);
			error = ++self->deaths < MOST_DEATHS ? worker_server_start(self) : NULL;
		}
	}
	input_deinit(&translated);
	if (!error && *done) {
		out->forked = true;
		out->work = server_work(self->server);
		room_hide_scratch(self->room, &out->output);
		room_hide_scratch(self->room, &out->message);
	}
	return error;
}

/* ------ experiments ------ */

#define MOST 32u /* snapshots of a worker */

/* --- snapshots --- */

static void drop(struct worker_points *self, uint32_t i)
{
	server_stop(self->snapshots.at[i].server);
	self->used -= self->snapshots.at[i].memory;
	self->snapshots.at[i] = self->snapshots.at[--self->snapshots.size];
}

static void drop_all(struct worker_points *self)
{
	while (self->snapshots.size)
		drop(self, self->snapshots.size - 1);
}

/* The latest at this site that is not behind the point; NULL: none. */
static struct snapshot *find(struct worker_points *self, const struct worker_point *point)
{
	struct snapshot *best = NULL;

	for (uint32_t i = 0; i < self->snapshots.size; i++) {
		struct snapshot *snapshot = &self->snapshots.at[i];

		if (snapshot->site == point->site && snapshot->count <= point->count &&
		    (!best || snapshot->count > best->count))
			best = snapshot;
	}
	return best;
}

/* Counts from where that snapshot is, or from the start. */
static void count_from(struct str *orders, const struct worker_point *point,
                       const struct snapshot *snapshot)
{
	struct hence_orders *head = (void *)orders->text;
	struct hence_order_stop *stops = (void *)(orders->text + head->stops);

	stops[0].count = point->count - (snapshot ? snapshot->count : 0);
	head->here = snapshot && !stops[0].count;
}

/* Makes a snapshot at the point; *made is false when the program cannot be one there. */
static struct hence_error *add(struct worker_points *self, const struct worker_point *point,
                               struct str *orders, const struct server_limits *limits, bool *made)
{
	struct snapshot *near, new = {.site = point->site, .count = point->count};
	struct hence_error *error;

	*made = false;
	/* Makes room for one more. */
	while (self->snapshots.size >= MOST ||
	       (self->snapshots.size && self->used > self->budget)) {
		uint32_t oldest = 0;

		for (uint32_t i = 1; i < self->snapshots.size; i++)
			if (self->snapshots.at[i].used < self->snapshots.at[oldest].used)
				oldest = i;
		drop(self, oldest);
	}
	near = find(self, point);
	count_from(orders, point, near);
	error = server_snapshot(near ? near->server : self->server.server, orders, limits,
	                        &new.server);
	if (error || !new.server)
		return error;
	new.memory = server_memory(new.server);
	self->used += new.memory;
	*vec_push(&self->snapshots) = new;
	*made = true;
	return NULL;
}

/* --- the program --- */

struct hence_error *worker_points_start(struct worker_points *self)
{
	struct hence_error *error = worker_server_start(&self->server);

	if (!error && !self->server.server)
		error = error_create(HENCE_ERROR_INPUT, "cannot make experiments with %s: %s",
		                     self->server.room->options->name, self->server.why);
	return error;
}

void worker_points_stop(struct worker_points *self)
{
	drop_all(self);
	vec_deinit(&self->snapshots);
	worker_server_stop(&self->server);
}

/* The program is gone, or the directory that it stands in. */
static struct hence_error *restart(struct worker_points *self)
{
	drop_all(self);
	worker_server_stop(&self->server);
	return worker_points_start(self);
}

/* --- experiments --- */

struct experiment {
	const struct worker_point *point;
	const struct server_limits *limits;
	struct str orders;
	bool on_rails;
	struct worker_answer answer;
};

static struct hence_error *attempt(struct worker_points *self, struct experiment *attempt,
                                   struct trial_result *out)
{
	const struct worker_point *point = attempt->point;
	struct snapshot *near = find(self, point);
	struct hence_error *error = NULL;
	bool made = false;

	if (point->snapshot && (!near || near->count != point->count)) {
		error = add(self, point, &attempt->orders, attempt->limits, &made);
		attempt->answer.snapshots += made;
		near = find(self, point);
	}
	if (error)
		return error;
	if (attempt->on_rails)
		server_give_rails(self->server.server, self->rails);
	count_from(&attempt->orders, point, near);
	if (near)
		near->used = ++self->clock;
	attempt->answer.forked = near && near->count == point->count;
	return server_experiment(near ? near->server : self->server.server, &attempt->orders,
	                         attempt->limits, out);
}

/* False: the bytes are no experiment. */
static bool take_message(const struct str *message, struct worker_point *point, struct str *orders,
                         bool *on_rails)
{
	struct hence_orders head;

	if (message->length < sizeof(*point) + sizeof(head))
		return false;
	memcpy(point, message->text, sizeof(*point));
	str_add_bytes(orders, message->text + sizeof(*point), message->length - sizeof(*point));
	memcpy(&head, orders->text, sizeof(head));
	*on_rails = head.on_rails;
	return head.size == orders->length && head.stop_count &&
	       head.stops <= head.size - sizeof(struct hence_order_stop);
}

struct hence_error *worker_points_try(struct worker_points *self, const struct str *message,
                                      const struct server_limits *limits, struct str *answer,
                                      struct trial_result *out)
{
	struct room *room = self->server.room;
	struct hence_error *error = NULL, *first;
	struct experiment try = {.limits = limits};
	struct worker_point point;

	try.point = &point;
	if (!take_message(message, &point, &try.orders, &try.on_rails))
		error = error_create(HENCE_ERROR_INTERNAL,
		                     "a worker was given a damaged experiment");
	/* A snapshot may have the old file open, with what was written to it since. */
	if (room->changed)
		drop_all(self);
	if (!error && room->rebuilt)
		error = restart(self);
	room->rebuilt = room->changed = false;
	if (!error)
		error = room_put_files(room, room->options->input);
	if (!error) {
		/* A process that waits may have been killed: by another experiment, for want of
		   memory. */
		first = attempt(self, &try, out);
		if (first)
			error = restart(self);
		if (first && !error)
			error = attempt(self, &try, out);
		error_destroy(first);
	}
	if (!error) {
		str_add_bytes(answer, &try.answer, sizeof(try.answer));
		str_add_bytes(answer, try.orders.text, try.orders.length);
		out->forked = true;
		out->work = server_work(self->server.server);
		room_hide_scratch(room, &out->output);
		room_hide_scratch(room, &out->message);
	}
	str_deinit(&try.orders);
	return error;
}
