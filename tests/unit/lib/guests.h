/*
 * guests: other users at the control socket, without other users: who connects
 * is whom the test says. The test is linked with
 *
 *	-Wl,--wrap=peer_read -Wl,--wrap=peer_judge
 */
#ifndef CFUZZ_TESTS_GUESTS_H
#define CFUZZ_TESTS_GUESTS_H

#include <sys/types.h>

#define GUESTS_NONE ((uid_t)-1)     /* the user of the test */
#define GUESTS_UNKNOWN ((uid_t)-2)  /* the system does not tell */
#define GUESTS_STRANGER ((uid_t)-3) /* in no group of the campaign */

/*
 * Whom the engine accepts from now on. To connect, a console must see the user
 * of the test, GUESTS_NONE. Any number but those above, root
 * and the test's own is that of a member of the group.
 */
void guests_set(uid_t uid);

#endif
