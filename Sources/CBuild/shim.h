#pragma once

/* Defined by the object that packaging adds to the link, and by nothing else: a new commit compiles
   nothing again. */
extern const char peersync_commit[] __attribute__((weak));

/* The commit that a packaged program was built from; null in any other build. */
static inline const char *_Nullable peersync_built_from(void) { return peersync_commit; }
