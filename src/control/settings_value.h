/*
 * settings_value: the field of one option inside a struct settings.
 *
 * Private to the settings: the table says where a field is and of what type;
 * these functions reach it.
 */
#ifndef CFUZZ_CONTROL_SETTINGS_VALUE_H
#define CFUZZ_CONTROL_SETTINGS_VALUE_H

#include "control/settings.h"

/* Of a field that is still zero. */
void option_set_default(struct settings *settings, const struct option *row);

/* Frees what the field owns. */
void option_release(struct settings *settings, const struct option *row);

/* After a flat copy: gives the field its own copy of what it points to. */
void option_own(struct settings *settings, const struct option *row);

#endif
