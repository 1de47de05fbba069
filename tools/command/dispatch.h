/*
 * tools/command/dispatch.h - finds and runs the command that argv names.
 */
#ifndef PROF_COMMAND_DISPATCH_H
#define PROF_COMMAND_DISPATCH_H

/* Finds the command, runs it, returns the exit status.  argv[0] is prof itself. */
int prof_command_main(int argc, char **argv);

#endif
