/* reader.c TRACE - the smallest reader of a trace: prints how many events it holds.  Compiles as C and as C++. */
#include <proftrace.h>
#include <stdio.h>

int main(int argc, char **argv) {
  struct prof_diag diag;
  prof_trace *trace;
  if (argc != 2 || prof_trace_open(argv[1], &diag, &trace) != PROF_OK)
    return 1;
  printf("%llu\n", (unsigned long long)prof_trace_info(trace)->events);
  prof_trace_close(trace);
  return 0;
}
