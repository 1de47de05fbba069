/*
 * test/fuzz/trace_input.h - a fuzzer's bytes as a trace file.
 */
#ifndef PROF_FUZZ_TRACE_INPUT_H
#define PROF_FUZZ_TRACE_INPUT_H

#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes);

/*
 * Calls `read` twice, with the path of a file that holds the bytes as they are, and then with all checksums made right,
 * so that mutants get past them.
 */
void fuzz_trace_input(const uint8_t *data, size_t bytes, void (*read)(const char *path));

#endif
