/* Where Debian's Lua looks for modules; the bench loads none. */
#ifndef BENCH_LUA_MULTIARCH_H
#define BENCH_LUA_MULTIARCH_H

#define DEB_HOST_MULTIARCH "none"

#endif
