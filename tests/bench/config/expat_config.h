/* expat_config: what expat's own configure would find out, for the bench. */
#ifndef BENCH_EXPAT_CONFIG_H
#define BENCH_EXPAT_CONFIG_H

#define BYTEORDER 1234
#define HAVE_GETRANDOM 1
#define XML_CONTEXT_BYTES 1024
#define XML_DTD 1
#define XML_NS 1

#endif
