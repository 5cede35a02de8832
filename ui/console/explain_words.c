/* explain_words: the table. */
#include "ui/console/explain_words.h"

/* clang-format off */
static const struct explain_words words[] = {
	{ KEYS_COMMON, "campaign",	"state",	NULL },
	{ KEYS_COMMON, "now",	"speed now",	NULL },
	{ KEYS_COMMON, "per s",	"speed now",	NULL },
	{ KEYS_COMMON, "speed",	"speed now",	NULL },
	{ KEYS_COMMON, "execs",	"executions",	NULL },
	{ KEYS_COMMON, "coverage",	"bits",		NULL },
	{ KEYS_COMMON, "last min",	"last minute",	NULL },
	{ KEYS_COMMON, "new",	"new inputs",	NULL },
	{ KEYS_COMMON, "word",	"words",	NULL },
	{ KEYS_COMMON, "last",	"since",	NULL },
	{ KEYS_COMMON, "gen",	"generation",	NULL },
	{ KEYS_COMMON, "crash",	"findings",	NULL },
	{ KEYS_COMMON, "hang",	"findings",	NULL },
	{ KEYS_COMMON, "oom",	"findings",	NULL },
	{ KEYS_COMMON, "out of memory",	"findings",	NULL },
	{ KEYS_COMMON, "leak",	"findings",	NULL },
	{ KEYS_COMMON, "suspect",	"suspects",	NULL },
	{ KEYS_COMMON, "children died", "deaths",	NULL },
	{ KEYS_COMMON, "child died",	"deaths",	NULL },
	{ KEYS_COMMON, "mutation",	"mutation",	NULL },

	{ KEYS_COMMON, "entry", NULL,
	  "The name of an input of the corpus: the start of the digest of its "
	  "bytes. Commands take it: fuzz 3fa9c1." },
	{ KEYS_COMMON, "parent", NULL,
	  "The input that it was made from. A seed has none." },
	{ KEYS_CORPUS, "gen", NULL,
	  "The generation: how many steps of mutation lie between a seed and "
	  "this input. A seed has 0." },
	{ KEYS_CORPUS, "bits", NULL,
	  "Coverage bits that this input was the first to reach. Many mean "
	  "that it opened a new part of the program." },
	{ KEYS_COMMON, "one exec", NULL,
	  "How long one execution of this input takes. Slow inputs are used "
	  "less." },
	{ KEYS_COMMON, "age", NULL,
	  "The time since it came into the corpus." },
	{ KEYS_COMMON, "energy", NULL,
	  "The part of all tries that this input gets now. Quick, small and "
	  "favoured inputs get more, and so do those that still lead to "
	  "something new." },
	{ KEYS_CORPUS, "new", NULL,
	  "Inputs that reached something new and were made from this one." },
	{ KEYS_CORPUS, "execs", NULL,
	  "How many inputs were made from this one and tried." },
	{ KEYS_CORPUS, "#", NULL,
	  "Its number in the order in which inputs came into the corpus." },
	{ KEYS_COMMON, "flags", NULL,
	  "s: a seed; f: favoured, one of the smallest set that reaches all; "
	  "p: progress, it comes nearer to what a comparison wants; u: "
	  "unstable, it does not always reach the same." },
	{ KEYS_COMMON, "makes", NULL,
	  "The input of the corpus that this step led to; empty if it led to "
	  "none by itself." },
	{ KEYS_CORPUS, "mutation", NULL,
	  "The kind of change that was made in this step." },
	{ KEYS_COMMON, "at", NULL,
	  "The place in the input, counted in bytes from its start." },
	{ KEYS_COMMON, "before", NULL,
	  "The bytes at that place before the step." },
	{ KEYS_COMMON, "after", NULL,
	  "The bytes at that place after it." },
	{ KEYS_COMMON, "as text", NULL,
	  "The new bytes as characters; a dot for what is none." },
	{ KEYS_CORPUS, "bytes", NULL,
	  "The length of the input before and after the step." },
	{ KEYS_FINDINGS, "last", NULL,
	  "When it was last seen, in time of the campaign." },
	{ KEYS_FINDINGS, "facts", NULL,
	  "This page has pages: what is known of the finding, the stack where "
	  "it failed, the whole report, and its bytes." },
	{ KEYS_FINDINGS, "stack", NULL,
	  "Who called whom when it failed, the innermost function first, with "
	  "the source around the selected one." },
	{ KEYS_FINDINGS, "report", NULL,
	  "What the sanitizer or the target said when it failed; here its "
	  "first line, on its own page all of it." },
	{ KEYS_FINDINGS, "input", NULL,
	  "The bytes of the first input that failed like this." },
	{ KEYS_FINDINGS, "minimized", NULL,
	  "The bytes of the smallest input that still fails like this." },
	{ KEYS_FINDINGS, "call", NULL,
	  "The smallest input as a call in C, to be put into a unit test." },
	{ KEYS_FINDINGS, "sequence", NULL,
	  "The inputs that have to run in a row: alone, the last one does not "
	  "fail." },
	{ KEYS_FINDINGS, "first at", NULL,
	  "When it was first seen, in time of the campaign." },
	{ KEYS_FINDINGS, "last at", NULL,
	  "When it was last seen, in time of the campaign." },
	{ KEYS_FINDINGS, "size", NULL,
	  "The length of its first input in bytes, and behind the arrow that "
	  "of the smallest which still fails like this." },
	{ KEYS_FINDINGS, "to re-run", NULL,
	  "The command that runs this input once more, for a shell; y copies "
	  "it." },
	{ KEYS_FINDINGS, "folder", NULL,
	  "Where its files are: the inputs, the report, and the facts for "
	  "programs." },
	{ KEYS_FINDINGS, "frame", NULL,
	  "One call on the stack: its depth, function, file and line. Dim "
	  "ones belong to a library. The arrows select one." },
	{ KEYS_FINDINGS, "source", NULL,
	  "The lines around the selected frame; the marked one is where it "
	  "was. Page Up and Page Down scroll." },
	{ KEYS_CORPUS, "it is a", NULL,
	  "A seed came from outside; an entry was made from another one; a "
	  "finding makes the target fail." },
	{ KEYS_CORPUS, "in", NULL,
	  "The function, file and line at the top of the stack that belong to "
	  "the program." },
	{ KEYS_CORPUS, "first at", NULL,
	  "When it was first seen, in time of the campaign." },
	{ KEYS_CORPUS, "new bits", NULL,
	  "Coverage bits that this input was the first to reach. Many mean "
	  "that it opened a new part of the program." },
	{ KEYS_CORPUS, "one execution", NULL,
	  "How long one execution of this input takes. Slow inputs are used "
	  "less." },
	{ KEYS_CORPUS, "executions", NULL,
	  "How many inputs were made from this one and tried." },
	{ KEYS_CORPUS, "favoured", NULL,
	  "One of the smallest set of inputs that reaches all coverage." },
	{ KEYS_CORPUS, "nearer to a comparison", NULL,
	  "It reaches nothing new, but comes nearer to what a comparison of "
	  "the target wants." },
	{ KEYS_CORPUS, "unstable", NULL,
	  "It does not always reach the same coverage." },
	{ KEYS_CORPUS, "lineage", NULL,
	  "From this entry up to its seed: each line is the parent of the one "
	  "above." },
	{ KEYS_CORPUS, "bytes of it", NULL,
	  "The input itself; x turns between bytes and text." },
	{ KEYS_JOURNAL, "time", NULL,
	  "When it happened, in time of the campaign; T turns to the clock on "
	  "the wall." },
	{ KEYS_JOURNAL, "kind", NULL,
	  "What kind of event it is; e shows those of one kind only." },
	{ KEYS_COVERAGE, "signs", NULL,
	  "Before each line: a frontier, its number, whether its code was hit, "
	  "in part or not at all, how often at most, and whether that is new." },
	{ KEYS_WORKERS, "works on", NULL,
	  "The input of the corpus that the worker mutates now, its generation "
	  "and its length." },
	{ KEYS_WORKERS, "has done", NULL,
	  "Executions of this worker, its speed now, and the inputs that "
	  "reached something new." },
	{ KEYS_WORKERS, "processes", NULL,
	  "The fork server keeps the target loaded; its child runs the inputs, and "
	  "is replaced when one kills it." },
	{ KEYS_WORKERS, "stop", NULL,
	  "How far the stop of this worker is: it is asked, interrupted, then "
	  "killed." },
	{ KEYS_CORPUS, "makes", NULL,
	  "The input of the corpus that this step led to, and the inputs it "
	  "was made from; empty if it led to none by itself." },
	{ KEYS_CORPUS, "length", NULL,
	  "The length of the input before and after the step." },
	{ KEYS_WORKERS, "execs", NULL,
	  "Executions of this worker since the campaign began." },
	{ KEYS_WORKERS, "per s", NULL,
	  "Executions of this worker per second, over the last 3 seconds. "
	  "The bar compares it with the fastest one." },
	{ KEYS_WORKERS, "new", NULL,
	  "Inputs of this worker that reached something new." },

	{ KEYS_COMMON, "function", NULL,
	  "A function of the target; the mark tells whether it was reached in "
	  "full, in part, or not at all." },
	{ KEYS_COMMON, "file", NULL,
	  "A source file of the target." },
	{ KEYS_COMMON, "folder", NULL,
	  "The path of the file, as the debug information has it." },
	{ KEYS_COVERAGE, "where", NULL,
	  "The file and the line where the function begins." },
	{ KEYS_COMMON, "hit", NULL,
	  "How many of its edges any input has reached." },
	{ KEYS_COMMON, "of", NULL,
	  "How many edges it has: one for each piece of code without a "
	  "branch." },
	{ KEYS_COMMON, "missed", NULL,
	  "How many of its edges no input has reached so far." },
	{ KEYS_COMMON, "reached", NULL,
	  "When an input first came there, in time of the campaign; empty for "
	  "what the seeds reach." },

	{ KEYS_COMMON, "#", NULL,
	  "The number of the worker. Commands name it: pause 2." },
	{ KEYS_COMMON, "state", NULL,
	  "What the worker does now; or of a finding: new, confirmed when all "
	  "replays fail, flaky when some do, known from an earlier run or by "
	  "your word, ignored. Not seen: only earlier builds of the target "
	  "failed so; gone: and no replay with this one does." },
	{ KEYS_COMMON, "for", NULL,
	  "How long it has been in this state." },
	{ KEYS_COMMON, "pid", NULL,
	  "The process that keeps the target loaded and forks a child for the "
	  "work. It outlives crashes." },
	{ KEYS_COMMON, "fork server", NULL,
	  "The process that keeps the target loaded and forks a child for the "
	  "work. It outlives crashes." },
	{ KEYS_COMMON, "child", NULL,
	  "The process that runs the inputs. When one kills it, the fork server "
	  "forks the next." },
	{ KEYS_COMMON, "on", NULL,
	  "The input of the corpus that the worker mutates now, by the start "
	  "of its name." },
	{ KEYS_COMMON, "size", NULL,
	  "The length of the input in bytes." },
	{ KEYS_COMMON, "memory", NULL,
	  "Memory that the child has of its own. If it grows without end, the "
	  "target leaks, and will be ended at --rss-limit." },
	{ KEYS_COMMON, "cpu", NULL,
	  "The part of one processor that the worker uses. Much less than "
	  "100 % means that it waits: for a disk, a lock, a sleep." },
	{ KEYS_COMMON, "last restart", NULL,
	  "Why the worker was last started anew from the program file." },
	{ KEYS_COMMON, "what", NULL,
	  "The kind of failure: a signal, what the sanitizer calls it, or an "
	  "exit status." },
	{ KEYS_COMMON, "where", NULL,
	  "The function, file and line at the top of the stack that belong to "
	  "the program. Bugs are told apart by this." },
	{ KEYS_COMMON, "seen", NULL,
	  "How many inputs failed like this. It says how easy the bug is to "
	  "reach, not how bad it is." },
	{ KEYS_COMMON, "note", NULL,
	  "Whether you have written a note about it; n shows and changes it." },
	{ KEYS_COMMON, "row", NULL,
	  "How many inputs have to run in a row before it fails; empty: one is "
	  "enough." },
	{ KEYS_COMMON, "min", NULL,
	  "The length after minimization; empty as long as it has not been "
	  "made smaller." },
	{ KEYS_COMMON, "first", NULL,
	  "When it was first seen, in time of the campaign." },
	{ KEYS_COMMON, "class", NULL,
	  "Crash, hang, out of memory or leak." },
	{ KEYS_COMMON, "id", NULL,
	  "The name of the finding: the end of its folder's name. Commands "
	  "take it: minimize 3fa9c1." },
	{ KEYS_COMMON, "one in", NULL,
	  "How many such mutations it takes for one new input. Less is better." },
	{ KEYS_COMMON, "position", NULL,
	  "How far this phase of the minimization is in the input." },
	{ KEYS_COMMON, "tries", NULL,
	  "Of a minimization: smaller inputs that were tried, each one "
	  "execution. Of a kind of mutation: its part of all tries." },
	{ KEYS_COMMON, "accepted", NULL,
	  "Tries that still failed in the same way, or kept the coverage. "
	  "Each became the new best." },
	{ KEYS_COMMON, "rejected", NULL,
	  "Tries that did not. The part that was left out is needed." },
	{ KEYS_COMMON, "others", NULL,
	  "Tries that failed as something else. What is new of that is kept as "
	  "a finding of its own." },
	{ KEYS_COMMON, "phase", NULL,
	  "What is being tried: cut the tail off, leave out bytes, leave out "
	  "ranges, and at last make the rest readable." },
	{ KEYS_COMMON, "bytes", NULL,
	  "The length of the best input so far." },
	{ KEYS_COMMON, "worker", NULL,
	  "Which worker does it. With one worker, fuzzing waits meanwhile." },
	{ KEYS_COMMON, "in all for", NULL,
	  "How long the campaign was paused, all together. Its clock stood "
	  "still." },
};
/* clang-format on */

const struct explain_words *
explain_words(size_t i)
{
	return i < sizeof(words) / sizeof(words[0]) ? &words[i] : NULL;
}
