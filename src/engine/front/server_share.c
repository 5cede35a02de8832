/*
 * server_share: guests, other users of the group of --share-group. A guest
 * watches; it controls only what it was given. It is not trusted: it may cost
 * neither much time nor the connections and files of the user.
 */
#include <stdio.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/text.h"
#include "control/peer.h"
#include "control/settings.h"
#include "control/share.h"
#include "engine/front/server_private.h"
#include "engine/log/messages.h"
#include "engine/parts.h"
#include "store/store_share.h"

#define GUESTS_MAX 192             /* of 256 connections */
#define GUEST_CONNECTIONS 8        /* of one user */
#define GUEST_BURST 64             /* that come at once … */
#define GUEST_PACE_NS 500000000ull /* … and then one in that time */

/* Each line of the journal about a guest costs disk space. */
static bool
guest_is_too_fast(struct server *s)
{
	uint64_t now = clock_now_ns();

	if (s->guests_ns < now)
		s->guests_ns = now;
	if (s->guests_ns - now > (GUEST_BURST - 1) * GUEST_PACE_NS)
		return true;
	s->guests_ns += GUEST_PACE_NS;
	return false;
}

bool
server_admits_guest(struct server *s, uid_t uid)
{
	size_t guests = 0, own = 0;
	const struct client *c;

	for (c = s->clients; c != NULL; c = c->next)
		if (c->guest && c->peer != NULL) {
			guests++;
			own += c->uid == uid;
		}
	return guests < GUESTS_MAX && own < GUEST_CONNECTIONS &&
		!guest_is_too_fast(s);
}

/* The file would be opened with the rights of the campaign's user. */
static bool
guest_names_file(const struct command *command)
{
	const struct option *option = command->id == COMMAND_SET
		? settings_find(command->argv[0])
		: NULL;

	return (command->id == COMMAND_EXPORT && command->argc > 1) ||
		(option != NULL &&
			(option->type == OPTION_TEXT ||
				option->type == OPTION_TEXTS));
}

const char *
server_guest_refusal(const struct command *command)
{
	if (command->id == COMMAND_TAKE)
		return "you watch another user's campaign: only that user "
		       "gives control, with :give";
	return guest_names_file(command)
		? "only the user of the campaign may name files"
		: "";
}

/* ---- the output directory ---- */

static void
share_warn_of_obstacle(struct server *s, const char *shown, gid_t group)
{
	char folder[256], quoted[300], text[1024];
	bool by_group = false;

	if (!share_find_obstacle(engine_output_path(s->engine), group, folder,
		    sizeof(folder), &by_group))
		return;
	(void)text_quote_shown(folder, quoted, sizeof(quoted));
	snprintf(text, sizeof(text),
		"the group %s cannot enter %s, so it cannot watch: allow it "
		"with `chmod %c+x %s`, or choose another output directory with "
		"-o",
		shown, quoted, by_group ? 'g' : 'o', quoted);
	message_keep_warning(s->engine, "share", text);
}

gid_t
server_share(struct server *s)
{
	const char *name = engine_settings(s->engine)->share_group;
	struct error err = { 0 };
	char shown[128];
	gid_t group;

	if (share_find_group(name, &group, &err) != OK ||
		(group != PEER_NO_GROUP &&
			store_share(engine_store(s->engine), group, &err) !=
				OK)) {
		message_keep_warning(s->engine, "share", err.text);
		return PEER_NO_GROUP;
	}
	if (group == PEER_NO_GROUP)
		return PEER_NO_GROUP;
	text_clean_string(name, shown, sizeof(shown));
	message_print(s->engine, "the group %s may watch", shown);
	message_event(s->engine, "share", NULL, "the group %s may watch",
		shown);
	share_warn_of_obstacle(s, shown, group);
	return group;
}

void
server_unshare(struct server *s)
{
	store_unshare(engine_store(s->engine));
}
