/* Loops that compilers unroll: see test_fates.py. */

/* Some compilers make a way back of each half of the condition. */
int rising(const int *cells, int most) {
  int i;
  for (i = 0; i <= 256; i++) {
    if (cells[i] < 0 || cells[i] > most)
      return -1;
  }
  for (i = 1; i <= 256; i++) {
    if (cells[i - 1] > cells[i])
      return -1;
  }
  return 0;
}

/* Unrolled whole before vectors are looked for. */
void fixed_cells(int *cells) {
  for (int i = 0; i < 4; i++)
    cells[i] += cells[i + 4] * 3;
}
