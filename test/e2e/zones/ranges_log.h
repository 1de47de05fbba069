/*
 * ranges_log.h - included after NVTX's header: writes what a program marks to standard error, "begin NAME" and "end".
 */
#ifndef PROF_TEST_RANGES_LOG_H
#define PROF_TEST_RANGES_LOG_H

#include <nvtx3/nvToolsExt.h>
#include <stdio.h>

#define nvtxRangePushEx(attributes) fprintf(stderr, "begin %s\n", (attributes)->message.ascii)
#define nvtxRangePop() fputs("end\n", stderr)

#endif
