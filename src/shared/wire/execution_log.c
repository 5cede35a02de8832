/* execution_log: see execution_log.h. */

#include "shared/wire/execution_log.h"

#include <string.h>

_Static_assert(sizeof(struct exec_log_record) == 48, "wire");
_Static_assert(sizeof(struct exec_log) == 32, "wire");
_Static_assert(EXEC_LOG_STACK_MAX + EXEC_LOG_RAW_MAX + 8 < EXEC_LOG_HALF,
	"it fits");

size_t
exec_log_record_size(const struct exec_log_record *record)
{
	size_t size = sizeof(*record);

	size += record->n * sizeof(struct mutation);
	size += record->literals_n;
	size += record->raw_n;
	return (size + 7) & ~(size_t)7;
}

bool
exec_log_next(const uint8_t *records, size_t len, size_t *offset,
	struct exec_log_item *item)
{
	size_t room = *offset <= len ? len - *offset : 0;
	const uint8_t *at = records + *offset;

	if (room < sizeof(item->record))
		return false;
	memcpy(&item->record, at, sizeof(item->record));
	if (item->record.n > EXEC_LOG_MUTATIONS_MAX ||
		item->record.literals_n > EXEC_LOG_HALF ||
		item->record.raw_n > EXEC_LOG_RAW_MAX ||
		exec_log_record_size(&item->record) > room)
		return false;
	*offset += exec_log_record_size(&item->record);
	at += sizeof(item->record);
	item->mutations = (const void *)at;
	at += item->record.n * sizeof(struct mutation);
	item->literals = at;
	item->raw = at + item->record.literals_n;
	return true;
}
