/*
 * dense_rows.h - for LIBSVM: scalar products of rows in which every number is there.
 *
 * LIBSVM keeps a row as pairs of index and value, so that zeros need no room, and a scalar product compares the indices
 * of two rows one by one.  Where all rows have the same indices, the values alone say the same, and lie next to each
 * other here.  Four sums at once don't wait for each other.
 */
#include <algorithm>
#include <vector>

#include "svm.h"

struct dense_rows {
  const svm_node *base = nullptr; /* of the first row in memory */
  int count = 0;                  /* numbers in a row; 0: rows differ */
  std::vector<double> values;     /* at the distance that the node has from base */

  void take(int rows, svm_node *const *row) {
    count = 0;
    while (rows > 0 && row[0][count].index != -1)
      count++;
    for (int i = 1; i < rows && count; i++)
      for (int k = 0; k <= count; k++)
        if (row[i][k].index != row[0][k].index) {
          count = 0;
          return;
        }
    if (!count)
      return;
    base = *std::min_element(row, row + rows);
    values.assign((size_t)(*std::max_element(row, row + rows) - base + count), 0);
    for (int i = 0; i < rows; i++)
      for (int k = 0; k < count; k++)
        values[(size_t)(row[i] - base + k)] = row[i][k].value;
  }

  double product(const svm_node *left, const svm_node *right) const {
    const double *a = &values[(size_t)(left - base)], *b = &values[(size_t)(right - base)];
    double sums[4] = {0, 0, 0, 0};
    int k = 0;
    for (; k + 4 <= count; k += 4)
      for (int s = 0; s < 4; s++)
        sums[s] += a[k + s] * b[k + s];
    for (; k < count; k++)
      sums[0] += a[k] * b[k];
    return sums[0] + sums[1] + (sums[2] + sums[3]);
  }
};

static dense_rows rows_of_numbers;
