/* say.h - messages to the user. */
#ifndef PROF_RUNTIME_SAY_H
#define PROF_RUNTIME_SAY_H

/* One line on stderr, once per process: "prof: " text, then detail if not NULL. */
void prof_say(const char *text, const char *detail);

#endif
