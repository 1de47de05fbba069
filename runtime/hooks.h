/* hooks.h - what prof.h asks of the runtime. */
#ifndef PROF_RUNTIME_HOOKS_H
#define PROF_RUNTIME_HOOKS_H

/* enum prof_control_operation (wire/module.h). */
int prof_hooks_control(int operation, const void *argument);

#endif
