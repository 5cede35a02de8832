/*
 * store_types: sets the types of the target, and checks that they are those of
 * the kept inputs. The types are known only after the target has started, when
 * our line is in the journal already. If they differ, that line is removed
 * again.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/fd.h"
#include "base/file.h"
#include "base/log.h"
#include "base/xmalloc.h"
#include "store/journal.h"
#include "store/store_private.h"
#include "worker/inputs/type_names.h"

enum status
store_set_types(struct store *store, const struct tuple_types *types,
	double at_s, struct error *err)
{
	char *line, *head;
	json_t *event;

	if (type_names_same(types, &store->types))
		return OK;
	if (!store->past.empty)
		return type_names_check(&store->types, types, store->shown,
			": choose another output directory with -o", err);
	store->types = *types;
	event = journal_types_event(at_s, types);
	store_log(store, event, false);
	line = journal_line(event);
	head = xasprintf("%s%s", store->journal_head, line);
	free(store->journal_head);
	store->journal_head = head;
	free(line);
	json_decref(event);
	return OK;
}

void
store_withdraw(struct store *store)
{
	struct error why = { 0 };
	int fd;

	if (file_open_own_at(store->root_fd, STORE_JOURNAL, O_WRONLY, &fd,
		    &why) != OK)
		log_debug("store: %s", why.text);
	else if (ftruncate(fd, (off_t)store->journal_len) < 0)
		log_debug("store: " STORE_JOURNAL ": %s", strerror(errno));
	fd_close(&fd);
}
