/*
 * tools/command/page/answers.h - what the server of `prof view` answers: docs/view-format.md, "From a server".
 */
#ifndef PROF_COMMAND_PAGE_ANSWERS_H
#define PROF_COMMAND_PAGE_ANSWERS_H

#include "serve/http.h"

/* Their context is a struct prof_generations, which is open. */
extern const struct prof_http_path prof_page_paths[];

#endif
