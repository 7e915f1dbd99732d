/* Memory that is shared with a program: see server_page.h. */
#include "trial/server_page.h"

#include <assert.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "runtime/edit_image.h"
#include "trial/trial.h"

struct hence_error *server_page_init(bool orders, struct server_page *out)
{
	size_t size = HENCE_ORDERS + (orders ? HENCE_ORDERS_ROOM + (size_t)HENCE_RAILS_ROOM : 0);
	int file = memfd_create("hence server", MFD_CLOEXEC);
	void *at = MAP_FAILED;
	struct hence_error *error;

	if (file >= 0 && !ftruncate(file, (off_t)size))
		at = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, file, 0);
	if (at == MAP_FAILED) {
		error = error_from_errno(HENCE_ERROR_INTERNAL, "cannot make shared memory");
		if (file >= 0)
			close(file);
		return error;
	}
	*out = (struct server_page){file, size, at};
	memcpy(out->at->magic, HENCE_SRV_MAGIC, 8);
	out->at->protocol = HENCE_PROTOCOL;
	return NULL;
}

void server_page_deinit(struct server_page *page)
{
	if (!page->at)
		return;
	munmap(page->at, page->size);
	close(page->file);
	*page = (struct server_page){.file = -1};
}

void server_page_patch(struct server_page *page, const struct str *orders)
{
	assert(HENCE_ORDERS + orders->length <= page->size);
	page->at->wait = HENCE_WAIT_PATCHED;
	memcpy((char *)page->at + HENCE_ORDERS, orders->text, orders->length);
}

void server_page_load(struct server_page *page, const char *image)
{
	assert(strlen(image) < sizeof(page->at->image));
	memcpy(page->at->image, image, strlen(image) + 1);
}

void server_page_edit(struct server_page *page, const struct trial_edit *edit)
{
	if (!page->at)
		return;
	page->at->edit = edit->number;
	memset((struct hence_scout *)((char *)page->at + HENCE_SCOUTS) + edit->first, 0,
	       edit->count * sizeof(struct hence_scout));
}

void server_page_scouts(const struct server_page *page, const struct trial_edit *edit,
                        struct str *out)
{
	str_add_bytes(out, (struct hence_scout *)((char *)page->at + HENCE_SCOUTS) + edit->first,
	              edit->count * sizeof(struct hence_scout));
}

void server_page_reset(struct server_page *page, uint64_t limit)
{
	page->at->limit = limit;
	page->at->work = 0;
	page->at->cut = 0;
}
