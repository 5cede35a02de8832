/*
 * settings_value: the member of one option inside a struct settings.
 *
 * Private to the settings: the table has offset and type of a member, and these
 * functions access it.
 */
#ifndef CFUZZ_CONTROL_SETTINGS_VALUE_H
#define CFUZZ_CONTROL_SETTINGS_VALUE_H

#include "control/settings.h"

/* The member must be zero. Aborts if the table's default is not valid. */
void option_set_default(struct settings *settings, const struct option *row);

/* Frees memory that the member owns. */
void option_release(struct settings *settings, const struct option *row);

/* After a flat copy: gives the member its own copy of its texts. */
void option_own(struct settings *settings, const struct option *row);

#endif
