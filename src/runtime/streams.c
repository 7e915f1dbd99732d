/*
 * Offsets of input and output: see streams.h.
 *
 * For a stdio stream on a file, the kernel's position is that of the end of stdio's buffer, so what
 * is wanted is that minus what is left in the buffer. To ask the kernel at each getc() would be
 * slow: the position of the end is kept, and is good as long as the buffer's pointers are those
 * that we saw last and moved by as much as the call says it took.
 */
#include "runtime/streams.h"

#include "runtime/kept.h"
#include "runtime/runtime.h"
#include "runtime/system.h"

#define CHANNELS  1024u
#define IN_BACKUP 0x100 /* glibc: bytes pushed back by ungetc() are being read */
#define EOF_SEEN  0x010 /* glibc: the last attempt to fill the buffer got nothing */

enum seekable {
	MAYBE,
	YES,
	NO,
};

struct hence_rt_channel {
	int32_t fd;
	uint8_t seekable;  /* enum seekable */
	uint8_t end_known; /* end_offset is right as long as ptr and end are the stream's */
	FILE *file;
	const char *ptr, *end;
	uint64_t end_offset;
	int64_t in; /* bytes taken; below 0 when more was pushed back */
	uint64_t out;
};

static struct hence_rt_channel *channels;

static struct hence_rt_channel *find(int32_t fd)
{
	struct hence_rt_channel *channel;

	if (fd < 0)
		return NULL;
	if (!channels && !(channels = hence_rt_memory(CHANNELS * sizeof(*channels))))
		return NULL;
	channel = &channels[(uint32_t)fd % CHANNELS];
	if (channel->fd != fd)
		*channel = (struct hence_rt_channel){.fd = fd};
	return channel;
}

int32_t hence_rt_streams_fd(FILE *file)
{
	/* glibc sets no descriptor for open_memstream(): there is anything. */
	if (!file || (hence_rt_kept && hence_rt_is_growing(file)))
		return -1;
	return file->_fileno;
}

/* Bytes in the buffer that were not given out yet. */
static uint64_t left_in(const FILE *file)
{
	uint64_t left = (uint64_t)(file->_IO_read_end - file->_IO_read_ptr);

	if (file->_flags & IN_BACKUP)
		left += (uint64_t)(file->_IO_save_end - file->_IO_save_base);
	return left;
}

static void ask_kernel(struct hence_rt_channel *channel)
{
	long at = channel->seekable == NO ? -1 : HENCE_SYS3(SYS_lseek, channel->fd, 0, SEEK_CUR);

	channel->seekable = at < 0 ? NO : YES;
	channel->end_known = at >= 0;
	channel->end_offset = at < 0 ? 0 : (uint64_t)at;
}

static uint64_t minus(uint64_t a, uint64_t b)
{
	return a > b ? a - b : 0;
}

static uint64_t taken_so_far(const struct hence_rt_channel *channel)
{
	return channel->in > 0 ? (uint64_t)channel->in : 0;
}

void hence_rt_streams_look(struct hence_rt_view *view, FILE *file)
{
	struct hence_rt_channel *channel = find(hence_rt_streams_fd(file));

	view->channel = channel;
	view->file = file;
	view->fd = channel ? channel->fd : -1;
	view->at = 0;
	if (!channel)
		return;
	view->ptr = file->_IO_read_ptr;
	view->end = file->_IO_read_end;
	view->base = file->_IO_read_base;
	view->left = left_in(file);
	if (channel->file != file || channel->ptr != view->ptr || channel->end != view->end)
		channel->end_known = 0;
	if (!channel->end_known && channel->seekable != NO)
		ask_kernel(channel);
	view->at =
		channel->end_known ? minus(channel->end_offset, view->left) : taken_so_far(channel);
}

uint64_t hence_rt_streams_taken(struct hence_rt_view *view, int64_t hint)
{
	struct hence_rt_channel *channel = view->channel;
	int64_t delta;
	uint64_t taken;
	const FILE *file;

	if (!channel)
		return hint > 0 ? (uint64_t)hint : 0;
	/* How far the pointer moved in an unchanged buffer; -1: the buffer changed. */
	file = view->file;
	if (file->_IO_read_end != view->end || file->_IO_read_base != view->base ||
	    file->_IO_read_ptr < view->ptr || file->_flags & IN_BACKUP)
		delta = -1;
	else
		delta = file->_IO_read_ptr - view->ptr;
	if (delta >= 0 && delta == hint) {
		taken = (uint64_t)delta;
	} else if (channel->seekable == YES) {
		ask_kernel(view->channel);
		taken = minus(minus(view->channel->end_offset, left_in(view->file)), view->at);
	} else {
		/* Not seekable: what the model says, else as if the buffer was filled once at
		   most. */
		if (hint >= 0)
			taken = (uint64_t)hint;
		else if (delta >= 0)
			taken = (uint64_t)delta;
		else
			taken = view->left +
			        (uint64_t)(view->file->_IO_read_ptr - view->file->_IO_read_base);
	}
	channel->in += (int64_t)taken;
	channel->file = view->file;
	channel->ptr = view->file->_IO_read_ptr;
	channel->end = view->file->_IO_read_end;
	return taken;
}

const char *hence_rt_streams_bytes(const struct hence_rt_view *view, uint64_t size)
{
	const FILE *file = view->file;

	if (!view->channel || file->_flags & IN_BACKUP)
		return NULL;
	if ((uint64_t)(file->_IO_read_ptr - file->_IO_read_base) < size) {
		/* At the end of a file, stdio has emptied its buffer, but the last bytes still
		   lie there. */
		file = view->file;
		if (!(file->_flags & EOF_SEEN) || file->_IO_read_ptr != file->_IO_read_end)
			return NULL;
		if (size <= view->left)
			return view->ptr;
		if (!view->left && view->channel->seekable == YES &&
		    size <= (uint64_t)(file->_IO_buf_end - file->_IO_buf_base))
			return file->_IO_buf_base;
		return NULL;
	}
	return file->_IO_read_ptr - size;
}

void hence_rt_streams_moved(struct hence_rt_view *view)
{
	if (!view->channel)
		return;
	view->channel->end_known = 0;
	if (view->channel->seekable == NO && left_in(view->file) == view->left + 1)
		view->channel->in--;
}

uint64_t hence_rt_streams_read(int32_t fd, uint64_t size, int64_t at)
{
	struct hence_rt_channel *channel = find(fd);
	uint64_t offset;

	if (!channel)
		return 0;
	if (at >= 0)
		return (uint64_t)at;
	ask_kernel(channel);
	offset = taken_so_far(channel);
	if (channel->seekable == YES && channel->end_offset >= size)
		offset = channel->end_offset - size;
	channel->in += (int64_t)size;
	channel->end_known = 0;
	return offset;
}

uint64_t hence_rt_streams_wrote(int32_t fd, uint64_t size)
{
	struct hence_rt_channel *channel = find(fd);
	uint64_t offset;

	if (!channel)
		return 0;
	offset = channel->out;
	channel->out += size;
	channel->end_known = 0;
	return offset;
}

void hence_rt_streams_reset(int32_t fd, int32_t like)
{
	struct hence_rt_channel *channel = find(fd);
	struct hence_rt_channel *other = find(like);

	if (!channel || channel == other)
		return;
	*channel = (struct hence_rt_channel){.fd = fd};
	if (other) {
		channel->in = other->in;
		channel->out = other->out;
	}
}
