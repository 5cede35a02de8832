/* explain_words: the table. */
#include "ui/console/explain_words.h"

/* clang-format off */
static const struct explain_words words[] = {
	{ KEYS_COMMON, "campaign",	"state",	NULL },
	{ KEYS_COMMON, "now",	"speed now",	NULL },
	{ KEYS_COMMON, "speed",	"speed now",	NULL },
	{ KEYS_COMMON, "coverage",	"bits",		NULL },
	{ KEYS_COMMON, "last min",	"last minute",	NULL },
	{ KEYS_COMMON, "word",	"words",	NULL },
	{ KEYS_COMMON, "last",	"since",	NULL },
	{ KEYS_COMMON, "gen",	"generation",	NULL },
	{ KEYS_COMMON, "crash",	"findings",	NULL },
	{ KEYS_COMMON, "hang",	"findings",	NULL },
	{ KEYS_COMMON, "oom",	"findings",	NULL },
	{ KEYS_COMMON, "out of memory",	"findings",	NULL },
	{ KEYS_COMMON, "leak",	"findings",	NULL },
	{ KEYS_COMMON, "suspect",	"suspects",	NULL },
	{ KEYS_COMMON, "mutation",	"mutation",	NULL },

	{ KEYS_COMMON, "entry", NULL,
	  "The name of a corpus input: the first digits of the hash of "
	  "its bytes. Commands accept it: fuzz 3fa9c1." },
	{ KEYS_COMMON, "parent", NULL,
	  "The input that was mutated to make this one. A seed has none." },
	{ KEYS_CORPUS, "gen", NULL,
	  "The generation: the number of ancestors up to the seed. A seed "
	  "has 0." },
	{ KEYS_CORPUS, "generation", NULL,
	  "The number of ancestors up to the seed. A seed has 0." },
	{ KEYS_CORPUS, "bits", NULL,
	  "Coverage bits that this input reached first. Many mean that it "
	  "opened up a new part of the program." },
	{ KEYS_COMMON, "one exec", NULL,
	  "Time of one execution of this input. Slow inputs are mutated "
	  "less often." },
	{ KEYS_COMMON, "age", NULL,
	  "Time since the input was added to the corpus." },
	{ KEYS_COMMON, "energy", NULL,
	  "The share of all executions that this input gets now. Fast, "
	  "small and favoured inputs get more, and so do inputs whose "
	  "mutations still find new coverage." },
	{ KEYS_CORPUS, "new", NULL,
	  "New inputs that were made by mutating this one." },
	{ KEYS_CORPUS, "new inputs", NULL,
	  "New inputs that were made by mutating this one." },
	{ KEYS_CORPUS, "execs", NULL,
	  "Number of executions of mutations of this input." },
	{ KEYS_CORPUS, "#", NULL,
	  "Number of the input, in the order of addition to the corpus." },
	{ KEYS_COMMON, "flags", NULL,
	  "s: a seed; f: favoured, in the smallest set with all coverage; "
	  "p: value profile, closer to satisfying a comparison; "
	  "u: unstable, its coverage varies." },
	{ KEYS_CORPUS, "mutation", NULL,
	  "The mutator that was applied. difference: all changes at once, "
	  "as the mutations of an earlier run, or of a campaign that is "
	  "over, are not kept." },
	{ KEYS_COMMON, "at", NULL,
	  "Offset in the input, in bytes, hexadecimal." },
	{ KEYS_COMMON, "before", NULL,
	  "The bytes at that offset before the mutation." },
	{ KEYS_COMMON, "after", NULL,
	  "The bytes at that offset after the mutation." },
	{ KEYS_COMMON, "as text", NULL,
	  "The new bytes as characters; a dot for unprintable ones." },
	{ KEYS_CORPUS, "bytes", NULL,
	  "The length of the input before and after the mutation." },
	{ KEYS_FINDINGS, "last", NULL,
	  "When the finding was last seen, in campaign time." },
	{ KEYS_FINDINGS, "summary", NULL,
	  "The pages of a finding: the summary, the stack of the failure, "
	  "the whole report, and the bytes of the input." },
	{ KEYS_FINDINGS, "stack", NULL,
	  "The call stack of the failure, the innermost function first, "
	  "with the source code of the selected frame." },
	{ KEYS_FINDINGS, "report", NULL,
	  "The report of the sanitizer or the output of the target: the "
	  "first line here, all of it on a page of its own." },
	{ KEYS_FINDINGS, "input", NULL,
	  "The bytes of the first input that failed in this way." },
	{ KEYS_FINDINGS, "minimized", NULL,
	  "The bytes of the smallest input that still fails in this way." },
	{ KEYS_FINDINGS, "call", NULL,
	  "The smallest input as a call in C, for a unit test; all calls of "
	  "an input sequence." },
	{ KEYS_FINDINGS, "sequence", NULL,
	  "The input sequence that is needed to fail: the last input "
	  "alone does not fail." },
	{ KEYS_FINDINGS, "first at", NULL,
	  "When the finding was first seen, in campaign time." },
	{ KEYS_FINDINGS, "last at", NULL,
	  "When the finding was last seen, in campaign time." },
	{ KEYS_FINDINGS, "size", NULL,
	  "The length of the first input in bytes; behind an arrow, that of "
	  "the smallest that still fails in this way." },
	{ KEYS_FINDINGS, "replays", NULL,
	  "How many replays of this finding failed in the same way." },
	{ KEYS_FINDINGS, "build", NULL,
	  "The last build of the target that failed in this way." },
	{ KEYS_FINDINGS, "to re-run", NULL,
	  "The shell command that executes this input again; y copies it." },
	{ KEYS_FINDINGS, "folder", NULL,
	  "The directory of the finding: its inputs, the report, and the "
	  "facts in machine-readable form." },
	{ KEYS_FINDINGS, "frame", NULL,
	  "A frame of the call stack: depth, function, file and line. Dim "
	  "frames belong to a library. Up and Down select a frame." },
	{ KEYS_FINDINGS, "source", NULL,
	  "The source code of the selected frame; the current line is "
	  "marked. Page Up and Page Down scroll." },
	{ KEYS_CORPUS, "it is a", NULL,
	  "A seed comes from outside; an entry was made by mutation; a "
	  "finding makes the target fail." },
	{ KEYS_CORPUS, "in", NULL,
	  "The innermost frame of the stack that belongs to the program: "
	  "function, file and line." },
	{ KEYS_CORPUS, "first at", NULL,
	  "When it was first seen, in campaign time." },
	{ KEYS_CORPUS, "new bits", NULL,
	  "Coverage bits that this input reached first. Many mean that it "
	  "opened up a new part of the program." },
	{ KEYS_CORPUS, "one execution", NULL,
	  "Time of one execution of this input. Slow inputs are mutated "
	  "less often." },
	{ KEYS_CORPUS, "executions", NULL,
	  "Number of executions of mutations of this input." },
	{ KEYS_CORPUS, "favoured", NULL,
	  "In the smallest set of inputs with all coverage." },
	{ KEYS_CORPUS, "value profile", NULL,
	  "It has no new coverage, but comes closer to satisfying a "
	  "comparison in the target. A filter finds it by \"profile\"." },
	{ KEYS_CORPUS, "unstable", NULL,
	  "Its coverage varies between executions." },
	{ KEYS_CORPUS, "lineage", NULL,
	  "The ancestors of this entry up to its seed: each line is the "
	  "parent of the line above." },
	{ KEYS_CORPUS, "bytes of it", NULL,
	  "The bytes of the input; x switches between hex and text." },
	{ KEYS_JOURNAL, "time", NULL,
	  "When the event happened, in campaign time; T switches to "
	  "wall-clock time." },
	{ KEYS_JOURNAL, "kind", NULL,
	  "The kind of the event; e shows one kind only." },
	{ KEYS_COVERAGE, "signs", NULL,
	  "Columns before each line: frontier, line number, coverage of "
	  "its code (full, partial, none), highest hit count, and whether "
	  "it is new." },
	{ KEYS_WORKERS, "works on", NULL,
	  "The corpus input that the worker is mutating, with its "
	  "generation and length." },
	{ KEYS_WORKERS, "has done", NULL,
	  "Executions of this worker, its current speed, and its new "
	  "inputs." },
	{ KEYS_WORKERS, "processes", NULL,
	  "The fork server keeps the target loaded. Its child executes "
	  "the inputs; after a death the fork server forks another child." },
	{ KEYS_WORKERS, "stop", NULL,
	  "The progress of stopping this worker: requested, interrupted, "
	  "then killed." },
	{ KEYS_CORPUS, "makes", NULL,
	  "The input that this mutation led to, and below its parents; "
	  "empty: the same input as in the row above." },
	{ KEYS_CORPUS, "length", NULL,
	  "The length of the input before and after the mutation." },
	{ KEYS_WORKERS, "execs", NULL,
	  "Executions of this worker in this run." },
	{ KEYS_WORKERS, "executions", NULL,
	  "Executions of this worker in this run." },
	{ KEYS_WORKERS, "now", NULL,
	  "Executions of this worker per second, over the last 3 seconds." },
	{ KEYS_WORKERS, "per s", NULL,
	  "Executions of this worker per second, over the last 3 seconds. "
	  "The bar compares it with the fastest worker." },
	{ KEYS_WORKERS, "new", NULL,
	  "New inputs found by this worker." },
	{ KEYS_WORKERS, "new input", NULL,
	  "New inputs found by this worker." },
	{ KEYS_WORKERS, "new inputs", NULL,
	  "New inputs found by this worker." },
	{ KEYS_WORKERS, "restarts", NULL,
	  "How often this worker had to be started again from the program "
	  "file." },
	{ KEYS_WORKERS, "deaths", NULL,
	  "Children of this worker that died while they executed an input, "
	  "mostly because of findings. The next one is forked at once." },
	{ KEYS_WORKERS, "children died", NULL,
	  "Children of this worker that died while they executed an input, "
	  "mostly because of findings. The next one is forked at once." },
	{ KEYS_WORKERS, "child died", NULL,
	  "Children of this worker that died while they executed an input, "
	  "mostly because of findings. The next one is forked at once." },
	{ KEYS_DASHBOARD, "execs", NULL,
	  "Executions of this worker in this run." },
	{ KEYS_DASHBOARD, "per s", NULL,
	  "Executions of this worker per second, over the last 3 seconds. "
	  "The bar compares it with the fastest worker." },
	{ KEYS_DASHBOARD, "new", NULL,
	  "New inputs found by this worker, or with this mutation." },
	{ KEYS_MINIMIZATION, "for", NULL,
	  "Time since this minimization began, without pauses." },
	{ KEYS_MINIMIZATION, "what", NULL,
	  "The finding or input that is minimized." },

	{ KEYS_COMMON, "function", NULL,
	  "A function of the target; the mark shows whether all, some or "
	  "none of its edges were hit." },
	{ KEYS_COMMON, "file", NULL,
	  "A source file of the target." },
	{ KEYS_COMMON, "folder", NULL,
	  "The path of the file, from the debug information." },
	/* Without a value: only the view knows which edges are checks. */
	{ KEYS_COVERAGE, "edges", NULL,
	  "Edges hit by any input, of all that the compiler has "
	  "instrumented. Those of sanitizers' checks are left out here, but "
	  "not on the dashboard. Not all can be reached from this target." },
	{ KEYS_COVERAGE, "where", NULL,
	  "The file and line where the function begins." },
	{ KEYS_COMMON, "hit", NULL,
	  "Number of its edges that were hit by any input." },
	{ KEYS_COMMON, "of", NULL,
	  "Number of its instrumented edges." },
	{ KEYS_COMMON, "missed", NULL,
	  "Number of its edges that no input has hit so far." },
	{ KEYS_COMMON, "reached", NULL,
	  "When an input first got there, in campaign time; empty if the "
	  "seeds reach it." },

	{ KEYS_COMMON, "#", NULL,
	  "The number of the worker. Commands accept it: pause 2." },
	{ KEYS_COMMON, "state", NULL,
	  "Of a worker, or of a finding. new; confirmed: each replay failed; "
	  "flaky: not each; known: from an earlier run or set by you; "
	  "accepted by you; not seen: only with earlier builds; fixed: no "
	  "replay with this build failed; minimizing." },
	{ KEYS_COMMON, "for", NULL,
	  "Time since the last change of the state." },
	{ KEYS_COMMON, "pid", NULL,
	  "The fork server: a process that keeps the target loaded and "
	  "forks a child to execute the inputs. It survives crashes." },
	{ KEYS_COMMON, "fork server", NULL,
	  "The fork server: a process that keeps the target loaded and "
	  "forks a child to execute the inputs. It survives crashes." },
	{ KEYS_COMMON, "child", NULL,
	  "The process that executes the inputs. If it dies, the fork "
	  "server forks another one." },
	{ KEYS_COMMON, "on", NULL,
	  "The corpus input that the worker is mutating: the first digits "
	  "of its name." },
	{ KEYS_COMMON, "size", NULL,
	  "The length of the input in bytes." },
	{ KEYS_COMMON, "memory", NULL,
	  "The private memory of the child. If it keeps growing, the "
	  "target leaks memory and will be killed at --rss-limit." },
	{ KEYS_COMMON, "cpu", NULL,
	  "CPU time of the worker, in percent of one CPU. Much less than "
	  "100 % means that it waits: for a disk, a lock, a sleep." },
	{ KEYS_COMMON, "last restart", NULL,
	  "Why the worker was last started again from the program file." },
	{ KEYS_COMMON, "what", NULL,
	  "The kind of failure: a signal, the sanitizer's name of the "
	  "error, or an exit status." },
	{ KEYS_COMMON, "where", NULL,
	  "The innermost frame of the stack that belongs to the program: "
	  "function, file and line. It distinguishes bugs." },
	{ KEYS_COMMON, "seen", NULL,
	  "Number of executions that failed in this way. It shows how easy "
	  "the bug is to reach, not how severe it is." },
	{ KEYS_COMMON, "note", NULL,
	  "Whether the finding has a note of yours; n shows and changes "
	  "it." },
	{ KEYS_COMMON, "row", NULL,
	  "Length of the input sequence that is needed to fail; empty: "
	  "one input is enough." },
	{ KEYS_COMMON, "min", NULL,
	  "The length after minimization; - if it has not been minimized." },
	{ KEYS_COMMON, "first", NULL,
	  "When it was first seen, in campaign time." },
	{ KEYS_COMMON, "class", NULL,
	  "Crash, hang, out of memory or leak." },
	{ KEYS_COMMON, "id", NULL,
	  "The name of the finding, 16 hexadecimal digits. Commands accept "
	  "it, and Tab completes it." },
	{ KEYS_COMMON, "one in", NULL,
	  "Number of such mutations per new input. Less is better." },
	{ KEYS_COMMON, "position", NULL,
	  "The offset that this phase of the minimization has reached in "
	  "the input, whose length stands behind it. In the phase \"again\" "
	  "this is not the best input, but a longer one." },
	{ KEYS_COMMON, "tries", NULL,
	  "Of a minimization: smaller inputs that were executed. Of a "
	  "mutator: its share of all mutations." },
	{ KEYS_COMMON, "accepted", NULL,
	  "Tries that failed in the same way, or kept the coverage. Each "
	  "became the new best input; in the phase \"again\" only one that "
	  "is shorter than the best." },
	{ KEYS_COMMON, "rejected", NULL,
	  "Tries that were not accepted: the removed part is needed." },
	{ KEYS_COMMON, "others", NULL,
	  "Tries with another failure. A new failure is kept as a finding "
	  "of its own." },
	{ KEYS_COMMON, "phase", NULL,
	  "What is tried now: without large parts (blocks), the end "
	  "(tail), single bytes, lines (parts), every range; with small "
	  "numbers (zeros), other characters (blank, readable), a small "
	  "value; again: tail, bytes and ranges, from the longer input of "
	  "the start." },
	{ KEYS_COMMON, "bytes", NULL,
	  "The length of the best input so far." },
	{ KEYS_COMMON, "worker", NULL,
	  "The worker that runs it. With a single worker, fuzzing waits "
	  "meanwhile." },
	{ KEYS_COMMON, "in all for", NULL,
	  "Total time for which the campaign was paused. Its clock stood "
	  "still." },
};
/* clang-format on */

const struct explain_words *
explain_words(size_t i)
{
	return i < sizeof(words) / sizeof(words[0]) ? &words[i] : NULL;
}
