/* state.c - see state.h. */
#include "state.h"

struct prof_runtime prof_runtime;
struct prof_cell prof_nobody;
__thread struct prof_cell *prof_self __attribute__((tls_model("initial-exec"))) = &prof_nobody;
__thread bool prof_thread_over __attribute__((tls_model("initial-exec")));
