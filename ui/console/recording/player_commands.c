/*
 * player_commands: pause, speed and position of a player.
 */
#include "ui/console/recording/player_private.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "control/budget.h"

#define PLAYER_NO_TIME "a time like 1m30s or 1:30 is expected"

/* ---- times ---- */

/* "1:30", "1:02:03". */
static enum status
player_parse_clock(const char *text, double *seconds, struct error *err)
{
	unsigned h = 0, m = 0, s = 0;
	int n = 0;

	/* sscanf() accepts a sign and blanks before each number. */
	if (strspn(text, "0123456789:") != strlen(text))
		return error_set(err, E_FORMAT, PLAYER_NO_TIME);
	if (sscanf(text, "%4u:%2u:%2u%n", &h, &m, &s, &n) != 3 || text[n]) {
		h = 0;
		if (sscanf(text, "%5u:%2u%n", &m, &s, &n) != 2 || text[n])
			return error_set(err, E_FORMAT, PLAYER_NO_TIME);
	}
	*seconds = 3600.0 * h + 60.0 * m + s;
	return OK;
}

enum status
player_parse_time(const char *text, double *seconds, struct error *err)
{
	struct error why = { 0 };
	uint64_t ms;
	size_t digits = strspn(text, "0123456789");

	if (strchr(text, ':') != NULL)
		return player_parse_clock(text, seconds, err);
	if (digits > 0 && digits < 10 && text[digits] == '\0') {
		*seconds = strtod(text, NULL);
		return OK;
	}
	if (duration_parse(text, &ms, &why) != OK || text[0] == '-')
		return error_set(err, E_FORMAT, PLAYER_NO_TIME);
	*seconds = (double)ms / 1000;
	return OK;
}

/* ---- commands ---- */

/* NULL: refused, with the reason in err. */
typedef const char *player_command_fn(struct player *p, const char *arg,
	struct error *err);

static const char *
player_pause(struct player *p, const char *arg, struct error *err)
{
	if (arg[0] != '\0') {
		error_set(err, E_USAGE,
			"a recording has no workers to command");
		return NULL;
	}
	p->paused = true;
	return "";
}

static const char *
player_resume(struct player *p, const char *arg, struct error *err)
{
	if (player_pause(p, arg, err) == NULL)
		return NULL;
	p->paused = false;
	return player_at_end(p) ? "this is the end; Home goes to the start"
				: "";
}

static const char *
player_faster(struct player *p)
{
	if (p->speed >= PLAYER_SPEED_MAX)
		p->speed = 0;
	else if (p->speed != 0)
		p->speed *= 2;
	return "";
}

static const char *
player_slower(struct player *p)
{
	if (p->speed == 0)
		p->speed = PLAYER_SPEED_MAX;
	else if (p->speed > PLAYER_SPEED_MIN)
		p->speed /= 2;
	return "";
}

/* Parses "2", "2x", "1/4", "0.5x". */
static const char *
player_speed(struct player *p, const char *arg, struct error *err)
{
	char *end;
	double speed = strtod(arg, &end);

	if (strcmp(arg, "faster") == 0)
		return player_faster(p);
	if (strcmp(arg, "slower") == 0)
		return player_slower(p);
	if (strcmp(arg, "max") == 0) {
		p->speed = 0;
		return "";
	}
	if (end != arg && *end == '/' && strtod(end + 1, NULL) > 0)
		speed /= strtod(end + 1, &end);
	end += *end == 'x';
	if (end == arg || *end != '\0' || !(speed >= PLAYER_SPEED_MIN) ||
		speed > PLAYER_SPEED_MAX) {
		error_set(err, E_RANGE,
			"speed: 1/8 to 64, max, slower or faster is expected");
		return NULL;
	}
	p->speed = speed;
	return "";
}

static const char *
player_seek_to(struct player *p, const char *arg, struct error *err)
{
	double seconds = 0;

	if (strcmp(arg, "start") == 0)
		seconds = 0;
	else if (strcmp(arg, "end") == 0)
		seconds = recording_index(p->recording)->length_s;
	else if (player_parse_time(arg + strspn(arg, "+-"), &seconds, err) !=
		OK)
		return NULL;
	else if (arg[0] == '+')
		seconds = p->at_s + seconds;
	else if (arg[0] == '-')
		seconds = p->at_s - seconds;
	player_seek(p, seconds);
	return "";
}

static const char *
player_quit(struct player *p, const char *arg, struct error *err)
{
	player_end(p, 0, "");
	return "";
}

static const char *
player_ping(struct player *p, const char *arg, struct error *err)
{
	return "the player is here";
}

static const struct player_command {
	const char *name;
	player_command_fn *run;
} player_commands[] = {
	{ "pause", player_pause },
	{ "resume", player_resume },
	{ "speed", player_speed },
	{ "seek", player_seek_to },
	{ "quit", player_quit },
	{ "ping", player_ping },
};

const char *
player_obey(struct player *p, const char *line, struct error *err)
{
	size_t len = strcspn(line, " ");
	size_t n = sizeof(player_commands) / sizeof(player_commands[0]);

	for (size_t i = 0; i < n; i++)
		if (strlen(player_commands[i].name) == len &&
			strncmp(player_commands[i].name, line, len) == 0)
			return player_commands[i].run(p,
				line + len + strspn(line + len, " "), err);
	error_set(err, E_STATE, "a recording cannot be changed");
	return NULL;
}
