/*
 * test/support/trace_text_summary.h - prints SUMMARY of a trace, if it has one.
 */
#ifndef TRACE_TEXT_SUMMARY_H
#define TRACE_TEXT_SUMMARY_H

#include "proftrace.h"

void trace_text_summary(const prof_trace *);

#endif
