/* Loops that compilers make vectors of, some only if nothing stands in them: see test_vectors.py. */
#include <stddef.h>

struct table {
  unsigned log;
  unsigned *cells;
};

/* Its outer loop is made a vector of sixteens, if it is cheap enough; control comes to it from a test. */
void reduced(struct table *to, unsigned by) {
  unsigned *cells = to->cells;
  unsigned const size = 1u << to->log;
  int const rows = (int)size / 16;
  unsigned const below = by + 2;
  int cell = 0;
  for (int row = 0; row < rows; row++)
    for (int column = 0; column < 16; column++) {
      unsigned value;
      if (cells[cell] == 1)
        value = 1;
      else if (cells[cell] < below)
        value = 0;
      else
        value = cells[cell] - by;
      cells[cell++] = value;
    }
}

void added(float *restrict to, const float *restrict from, float by, int n) {
  for (int i = 0; i < n; i++)
    to[i] += by * from[i];
}

void may_overlap(int *to, const int *from, size_t n) {
  for (size_t i = 0; i < n; i++)
    to[i] = from[i] * 3 + 1;
}

double summed(const double *from, long n) {
  double sum = 0;
  for (long i = n - 1; i >= 0; i--)
    sum += from[i] * from[i];
  return sum;
}

int most(const int *from, int n) {
  int found = from[0];
  for (int i = 1; i < n; i += 1)
    found = from[i] > found ? from[i] : found;
  return found;
}

void multiplied(float *restrict to, const float *restrict one, const float *restrict other, int n) {
  for (int i = 0; i < n; i++)
    for (int k = 0; k < n; k++)
      for (int j = 0; j < n; j++)
        to[i * n + j] += one[i * n + k] * other[k * n + j];
}

void some(short *restrict to, const short *restrict from, const unsigned char *mask, int n) {
  for (int i = 0; i < n; i++)
    if (mask[i])
      to[i] = (short)(from[i] + 7);
}

void fixed(int *to) {
  for (int i = 0; i < 1024; i++)
    to[i] ^= i;
}

/* A compiler that splits the outer loop, as its first iteration has no inner one, has a half without it. */
void below_diagonal(float *restrict to, const float *restrict by, const float *restrict from, int n, int rows,
                    float most) {
  for (int j = 1; j <= rows; j++)
    for (int i = 1; i <= n; i++) { /* not with events in it */
      float one = most * by[j * n + i], sum = 0;
      for (int k = 1; k <= i - 1; k++) {
        to[j * n + k] += one * from[i * n + k];
        sum += by[j * n + k] * from[i * n + k];
      }
      to[j * n + i] = one * from[i * n + i] + most * sum;
    }
}
