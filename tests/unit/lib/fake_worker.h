/*
 * fake_worker: a worker process that speaks the RPC well and badly.
 *
 * The test program starts itself again as the worker: main() calls
 * fake_worker_main() first, which takes over when the worker's descriptors
 * were announced in the environment. What it does is argv[1].
 */
#ifndef CFUZZ_TESTS_FAKE_WORKER_H
#define CFUZZ_TESTS_FAKE_WORKER_H

/* Does not return if this process is the fake worker. */
void fake_worker_main(char **argv);

#endif
