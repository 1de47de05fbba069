/*
 * tools/source/no_probes.h - why a program left no events.
 *
 * In: the path of what was executed.  Out: a reason and what to do, in words; command/ prints them.
 */
#ifndef PROF_SOURCE_NO_PROBES_H
#define PROF_SOURCE_NO_PROBES_H

enum prof_no_probes {
  PROF_PROBES_THERE = 0,           /* it has probes: the reason is another one */
  PROF_NO_PROBES_UNREADABLE,       /* can't be opened */
  PROF_NO_PROBES_SCRIPT,           /* "#!": the interpreter ran, and it has none */
  PROF_NO_PROBES_FOREIGN,          /* no ELF file, or of another machine */
  PROF_NO_PROBES_OTHER_VERSION,    /* probes of another wire version */
  PROF_NO_PROBES_LTO,              /* compiled with -flto, linked without the plugin */
  PROF_NO_PROBES_NOTHING_SELECTED, /* compiled with the plugin, but no function was chosen */
  PROF_NO_PROBES_NOT_COMPILED,     /* an ordinary program */
  PROF_NO_PROBES_LIBRARY,          /* compiled with -finstrument-functions; libc's own hooks do nothing */
  PROF_NO_PROBES_STATIC,           /* probes in a static program that is not linked with the runtime */
};

struct prof_no_probes_text {
  const char *reason; /* a clause that continues "PROGRAM " */
  const char *remedy;
};

enum prof_no_probes prof_no_probes_find(const char *path);
struct prof_no_probes_text prof_no_probes_text(enum prof_no_probes);

#endif
