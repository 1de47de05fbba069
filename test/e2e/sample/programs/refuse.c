/*
 * test/e2e/sample/programs/refuse.c - runs a program in which the system refuses calls.
 *
 *   refuse NUMBER[,NUMBER...] PROGRAM ARGS...     these system calls fail with EACCES, there and in all that it starts
 *
 * Source: seccomp(2), linux/filter.h.
 */
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <unistd.h>

#define MOST 8

int main(int argc, char **argv) {
  struct sock_filter code[2 * MOST + 2];
  unsigned short count = 0;
  if (argc < 3)
    return 2;
  code[count++] = (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr));
  for (char *at = argv[1]; *at && count < 2 * MOST; at += *at == ',') {
    unsigned number = (unsigned)strtoul(at, &at, 10);
    code[count++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, number, 0, 1);
    code[count++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EACCES);
  }
  code[count++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
  struct sock_fprog filter = {count, code};
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter)) {
    perror("refuse");
    return 2;
  }
  execvp(argv[2], argv + 2);
  perror(argv[2]);
  return 127;
}
