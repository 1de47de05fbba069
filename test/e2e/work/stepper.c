/* stepper.c - STEPPER PROGRAM: runs it by single steps between two breakpoints; prints how often each address ran. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ptrace.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

#define BEGIN 0x400000u /* of a program that doesn't move */
#define BYTES 0x400000u
static unsigned counts[BYTES];

int main(int argument_count, char **arguments) {
  struct user_regs_struct registers;
  int status;
  pid_t pid = argument_count == 2 ? fork() : -1;
  if (pid < 0)
    return 2;
  if (pid == 0) {
    ptrace(PTRACE_TRACEME, 0, 0, 0);
    execv(arguments[1], arguments + 1);
    _exit(2);
  }
  waitpid(pid, &status, 0); /* it has begun */
  ptrace(PTRACE_CONT, pid, 0, 0);
  waitpid(pid, &status, 0); /* behind the first breakpoint */
  while (WIFSTOPPED(status) && WSTOPSIG(status) == SIGTRAP) {
    ptrace(PTRACE_GETREGS, pid, 0, &registers);
    long text = ptrace(PTRACE_PEEKTEXT, pid, registers.rip, 0);
    if ((text & 0xff) == 0xcc)
      break;
    if (registers.rip - BEGIN < BYTES)
      counts[registers.rip - BEGIN]++;
    ptrace(PTRACE_SINGLESTEP, pid, 0, 0);
    waitpid(pid, &status, 0);
  }
  for (unsigned i = 0; i < BYTES; i++)
    if (counts[i])
      printf("%x %u\n", BEGIN + i, counts[i]);
  kill(pid, SIGKILL);
  return 0;
}
