/* hard_library.c - opened and closed by hard.c. */
static unsigned long calls;
__attribute__((noinline)) void counted(void) {
  __atomic_fetch_add(&calls, 1, __ATOMIC_RELAXED);
}
unsigned long library_calls(int count) {
  calls = 0;
  for (int i = 0; i < count; i++)
    counted();
  return calls;
}
