/* injection.h - the GPU collector for a program that was started without `prof record`. */
#ifndef PROF_RUNTIME_INJECTION_H
#define PROF_RUNTIME_INJECTION_H

/* Sets the variables by which the GPU collector is loaded; options: those of `prof record`, may be NULL. */
void prof_injection_set(const char *options);

#endif
