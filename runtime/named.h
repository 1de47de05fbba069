/* named.h - zones and points whose names the program makes while it runs. */
#ifndef PROF_RUNTIME_NAMED_H
#define PROF_RUNTIME_NAMED_H

/* PROF_CONTROL_NAMED (wire/module.h). */
int prof_named_control(const void *named);

#endif
