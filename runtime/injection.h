/* injection.h - the GPU collector for a program that was started without `prof record`. */
#ifndef PROF_RUNTIME_INJECTION_H
#define PROF_RUNTIME_INJECTION_H

/* Sets the variables that load the GPU collector; options: those of `prof record`, may be NULL. */
void prof_injection_set(const char *options);

#endif
