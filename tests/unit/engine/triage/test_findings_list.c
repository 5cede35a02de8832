/* The list of findings: order, names, and removal. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>

#include "base/xmalloc.h"
#include "engine/engine_private.h"
#include "engine/triage/findings_list.h"
#include "findings/finding.h"

static struct finding *
add(struct engine *e, const char *id, const char *folder)
{
	struct failure failure = { .kind = FAILURE_SIGNAL };
	struct finding *f = finding_create(&failure, 1);

	snprintf(f->id, sizeof(f->id), "%s", id);
	snprintf(f->folder, sizeof(f->folder), "%s", folder);
	findings_add(e, f);
	return f;
}

static void
test_list(void **state)
{
	struct engine *e = xcalloc(1, sizeof(*e));
	struct finding *first = add(e, "1", "crashes/one");
	struct finding *second = add(e, "2", "crashes/two");
	struct finding *third = add(e, "3", "hangs/three");

	assert_int_equal(findings_count(e), 3);
	assert_ptr_equal(findings_at(e, 0), first);
	assert_ptr_equal(findings_at(e, 2), third);
	assert_ptr_equal(findings_find(e, "2"), second);
	assert_ptr_equal(findings_find(e, "hangs/three"), third);
	assert_null(findings_find(e, "4"));
	findings_remove(e, second);
	assert_int_equal(findings_count(e), 2);
	assert_ptr_equal(findings_at(e, 1), third);
	assert_null(findings_find(e, "2"));
	finding_destroy(second);
	findings_clear(e);
	assert_int_equal(findings_count(e), 0);
	free(e);
}

/* Oldest first, whatever their folders are called. */
static void
test_sort(void **state)
{
	struct engine *e = xcalloc(1, sizeof(*e));
	struct finding *newest = add(e, "1", "crashes/a");
	struct finding *oldest = add(e, "2", "crashes/c");
	struct finding *same = add(e, "3", "crashes/b");

	findings_sort(e);
	newest->first_s = 9;
	oldest->first_s = same->first_s = 0.5;
	findings_sort(e);
	assert_ptr_equal(findings_at(e, 0), same);
	assert_ptr_equal(findings_at(e, 1), oldest);
	assert_ptr_equal(findings_at(e, 2), newest);
	findings_clear(e);
	findings_sort(e);
	free(e);
}

static void
test_crash(void **state)
{
	struct engine *e = xcalloc(1, sizeof(*e));
	struct finding *f = add(e, "1", "crashes/one");

	assert_null(findings_crash(e));
	findings_set_crash(e, f);
	assert_ptr_equal(findings_crash(e), f);
	findings_clear(e);
	assert_null(findings_crash(e));
	free(e);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_list),
		cmocka_unit_test(test_sort),
		cmocka_unit_test(test_crash),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
