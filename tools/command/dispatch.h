/*
 * tools/command/dispatch.h - from argv to a command's run.
 */
#ifndef PROF_COMMAND_DISPATCH_H
#define PROF_COMMAND_DISPATCH_H

/* What main does: finds the command, runs it, returns the exit status.  argv[0] is prof itself. */
int prof_command_main(int argc, char **argv);

#endif
