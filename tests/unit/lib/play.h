/*
 * play: an engine that is none, to look at the console without a target.
 *
 * It speaks the control protocol, starts from a snapshot kept in a file, lets
 * its numbers grow, and obeys the commands as far as one can see. The same
 * start gives the same course.
 */
#ifndef CFUZZ_TESTS_PLAY_H
#define CFUZZ_TESTS_PLAY_H

/*
 * Arguments after `play`: options of cfuzz-tui, then a snapshot of
 * tests/data/snapshots by name. A name with "!" in front makes the start
 * fail. Runs the launcher with that engine; returns its exit status.
 *
 * Environment: PLAY_WORKERS, PLAY_CORPUS (inputs) make it larger;
 * PLAY_SNAPSHOTS: so many come as fast as they are taken, and then it ends.
 */
int play_main(int argc, char **argv);

#endif
