/* Messages between hence and its workers: see trial_bytes.h. */
#include "trial/trial_bytes.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#include "base/mem.h"
#include "run/outcome.h"

struct head {
	uint64_t kind, size;
};

/* All in one piece, as a rule: who reads the beginning would else wait for the rest. */
bool message_send(int socket, enum message_kind kind, const void *bytes, size_t size)
{
	struct head head = {kind, size};
	struct iovec parts[2] = {{&head, sizeof(head)}, {(void *)bytes, size}};
	struct msghdr message = {.msg_iov = parts, .msg_iovlen = 2};

	while (parts[0].iov_len + parts[1].iov_len) {
		ssize_t done = sendmsg(socket, &message, MSG_NOSIGNAL);

		if (done < 0 && errno == EINTR)
			continue;
		if (done < 0)
			return false;
		for (int i = 0; i < 2; i++) {
			size_t part =
				(size_t)done < parts[i].iov_len ? (size_t)done : parts[i].iov_len;

			parts[i].iov_base = (char *)parts[i].iov_base + part;
			parts[i].iov_len -= part;
			done -= (ssize_t)part;
		}
	}
	return true;
}

static bool receive_all(int socket, char *bytes, size_t size)
{
	while (size) {
		ssize_t got = recv(socket, bytes, size, 0);

		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			return false;
		bytes += got;
		size -= got;
	}
	return true;
}

bool message_receive(int socket, enum message_kind *kind, struct str *out)
{
	struct head head;

	if (!receive_all(socket, (char *)&head, sizeof(head)))
		return false;
	if (out->room <= head.size) {
		out->text = mem_resize(out->text, head.size + 1);
		out->room = head.size + 1;
	}
	out->length = head.size;
	out->text[head.size] = '\0';
	*kind = (enum message_kind)head.kind;
	return receive_all(socket, out->text, head.size);
}

static void put_u32(struct str *out, uint32_t value)
{
	str_add_bytes(out, &value, sizeof(value));
}

static void put_bytes(struct str *out, const void *bytes, uint64_t size)
{
	str_add_bytes(out, &size, sizeof(size));
	str_add_bytes(out, size ? bytes : "", size);
}

void trial_bytes_put_input(struct str *out, const struct input *input,
                           const struct trial_edit *edit)
{
	str_add_bytes(out, edit, sizeof(*edit));
	put_u32(out, input->parts.size);
	for (uint32_t i = 0; i < input->parts.size; i++) {
		const struct input_part *part = &input->parts.at[i];

		put_u32(out, part->kind);
		put_u32(out, part->varied);
		put_u32(out, part->unset);
		put_u32(out, part->name != NULL);
		put_bytes(out, part->name, part->name ? strlen(part->name) : 0);
		put_bytes(out, part->bytes.text, part->bytes.length);
	}
}

static void put_outcome(struct str *out, const struct outcome *outcome)
{
	struct str bytes = STR_INIT;

	outcome_bytes_write(outcome, &bytes);
	put_bytes(out, bytes.text, bytes.length);
	str_deinit(&bytes);
}

void trial_bytes_put_result(struct str *out, const struct trial_result *result,
                            const struct str *extra)
{
	put_u32(out, result->cut);
	put_u32(out, result->limit);
	put_u32(out, result->endless);
	put_u32(out, (uint32_t)result->test);
	str_add_bytes(out, &result->pc, sizeof(result->pc));
	str_add_bytes(out, &result->peak, sizeof(result->peak));
	str_add_bytes(out, &result->work, sizeof(result->work));
	str_add_bytes(out, &result->seconds, sizeof(result->seconds));
	put_u32(out, result->forked);
	put_outcome(out, &result->outcome);
	put_outcome(out, &result->other);
	put_bytes(out, result->output.text, result->output.length);
	put_bytes(out, result->message.text, result->message.length);
	put_bytes(out, result->right.text, result->right.length);
	put_bytes(out, result->right_message.text, result->right_message.length);
	put_bytes(out, result->refused.text, result->refused.length);
	put_bytes(out, extra ? extra->text : NULL, extra ? extra->length : 0);
}

/* What is left to read; `bad` once something did not fit. */
struct reader {
	const char *at;
	size_t left;
	bool bad;
};

static const char *take(struct reader *in, size_t size)
{
	const char *at = in->at;

	if (in->bad || in->left < size) {
		in->bad = true;
		return NULL;
	}
	in->at += size;
	in->left -= size;
	return at;
}

static void get(struct reader *in, void *out, size_t size)
{
	const char *at = take(in, size);

	if (at)
		memcpy(out, at, size);
}

static uint32_t get_u32(struct reader *in)
{
	uint32_t value = 0;

	get(in, &value, sizeof(value));
	return value;
}

/* NULL when it does not fit. */
static const char *get_bytes(struct reader *in, uint64_t *size)
{
	*size = 0;
	get(in, size, sizeof(*size));
	return take(in, *size);
}

static void get_part(struct reader *in, struct input *out)
{
	enum input_kind kind = (enum input_kind)get_u32(in);
	bool varied = get_u32(in), unset = get_u32(in), named = get_u32(in);
	uint64_t length, size;
	const char *name = get_bytes(in, &length), *bytes = get_bytes(in, &size);
	char *copy;

	if (in->bad)
		return;
	copy = named ? mem_strndup(name, length) : NULL;
	input_add_bytes(out, kind, copy, bytes, size);
	out->parts.at[out->parts.size - 1].varied = varied;
	out->parts.at[out->parts.size - 1].unset = unset;
	free(copy);
}

bool trial_bytes_get_input(const struct str *bytes, struct input *out, struct trial_edit *edit)
{
	struct reader in = {bytes->text, bytes->length, false};
	struct input input = {0};
	uint32_t count;

	get(&in, edit, sizeof(*edit));
	count = get_u32(&in);

	for (uint32_t i = 0; i < count && !in.bad; i++)
		get_part(&in, &input);
	if (in.bad || in.left) {
		input_deinit(&input);
		return false;
	}
	*out = input;
	return true;
}

static void get_outcome(struct reader *in, struct outcome *out)
{
	uint64_t size;
	const char *bytes = get_bytes(in, &size);

	if (bytes && !outcome_bytes_read(bytes, size, out))
		in->bad = true;
}

static void get_text(struct reader *in, struct str *out)
{
	uint64_t size;
	const char *bytes = get_bytes(in, &size);

	if (bytes && size)
		str_add_bytes(out, bytes, size);
}

bool trial_bytes_get_result(const struct str *bytes, struct trial_result *out, struct str *extra)
{
	struct str more = STR_INIT;
	struct reader in = {bytes->text, bytes->length, false};
	struct trial_result result = {.cut = get_u32(&in)};

	result.limit = (enum trial_limit)get_u32(&in);
	result.endless = get_u32(&in);
	result.test = (int)get_u32(&in);
	get(&in, &result.pc, sizeof(result.pc));
	get(&in, &result.peak, sizeof(result.peak));
	get(&in, &result.work, sizeof(result.work));
	get(&in, &result.seconds, sizeof(result.seconds));
	result.forked = get_u32(&in);
	get_outcome(&in, &result.outcome);
	get_outcome(&in, &result.other);
	get_text(&in, &result.output);
	get_text(&in, &result.message);
	get_text(&in, &result.right);
	get_text(&in, &result.right_message);
	get_text(&in, &result.refused);
	get_text(&in, &more);
	if (in.bad || in.left) {
		trial_result_deinit(&result);
		str_deinit(&more);
		return false;
	}
	*out = result;
	*extra = more;
	return true;
}
