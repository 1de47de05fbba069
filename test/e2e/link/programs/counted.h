/*
 * counted.h - every probed function counts its own calls, and main prints the counts: what a recording is held against.
 *
 * A row: the id in COUNT(id), the names that `prof report` shows it by; several with `|` between them count together.
 */
#pragma once

#define COUNTED_ROWS(ROW)                                                                                              \
  ROW(MAIN, "main")                                                                                                    \
  ROW(RUN, "run(int)")                                                                                                 \
  ROW(CATCHES, "catches(int)")                                                                                         \
  ROW(GLOBAL, "(anonymous namespace)::Global::Global()")                                                               \
  ROW(SQUARE, "Square::area() const")                                                                                  \
  ROW(CIRCLE, "Circle::area() const")                                                                                  \
  ROW(AREAS, "areas(int)")                                                                                             \
  ROW(THROWS, "throws(int)")                                                                                           \
  ROW(INLINED, "inlined_in_two(int)")                                                                                  \
  ROW(TEMPLATE_INT, "int largest<int>(int, int)")                                                                      \
  ROW(TEMPLATE_LONG, "long largest<long>(long, long)")                                                                 \
  ROW(FACTORIAL, "factorial")                                                                                          \
  ROW(EVEN, "is_even")                                                                                                 \
  ROW(ODD, "is_odd")                                                                                                   \
  ROW(STATIC, "static_in_two|static_in_two(int)")                                                                      \
  ROW(APPLY, "apply")                                                                                                  \
  ROW(SAME, "same_one|same_two")                                                                                       \
  ROW(WEAK, "weak_and_strong")                                                                                         \
  ROW(ALIASED, "aliased")                                                                                              \
  ROW(MORE, "more")                                                                                                    \
  ROW(JUMPS, "jumps")                                                                                                  \
  ROW(LIBRARY, "library_run")                                                                                          \
  ROW(STEP, "library_step(int)")

#define COUNTED_ID(id, names) COUNTED_##id,
enum { COUNTED_ROWS(COUNTED_ID) COUNTED_COUNT };

#ifdef __cplusplus
#define C_NAME extern "C"
#else
#define C_NAME extern
#endif

#define PUBLIC __attribute__((visibility("default")))
#define APART __attribute__((noinline))

C_NAME PUBLIC long counted_calls[COUNTED_COUNT];
#define COUNT(id) (counted_calls[COUNTED_##id]++)
