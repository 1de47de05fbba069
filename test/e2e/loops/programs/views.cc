// Loops over views, whose own loops look for the next element; by -std=c++20.
#include <numeric>
#include <ranges>
#include <vector>

#include "by_hand.h"

static int cells[500];

APART static void touch(int i) {
  cells[static_cast<unsigned>(i) % 500]++;
}

APART static int filtered(const std::vector<int> &all) {
  int sum = 0;
  LOOP_IN(filtered);
  for (int value : all | std::views::filter([](int v) { return v % 3 == 0; }) | /* loop filtered */
                       std::views::transform([](int v) { return v * 2; })) {
    LOOP_IT(filtered);
    touch(value);
    sum += value;
  }
  return sum;
}

APART static int counted_up(int n) {
  int sum = 0;
  LOOP_IN(counted_up);
  for (int i : std::views::iota(0, n) | std::views::take(70)) { /* loop counted_up */
    LOOP_IT(counted_up);
    touch(i);
    sum += i;
  }
  return sum;
}

int main() {
  long sum = 0;
  for (int size : {0, 1, 2, 5, 13, 60, 199}) {
    int n = unknown(size);
    std::vector<int> in_row(static_cast<size_t>(n));
    std::iota(in_row.begin(), in_row.end(), unknown(4));
    sum += filtered(in_row) + counted_up(n);
  }
  for (int cell : cells)
    sum = sum * 31 + cell;
  printf("%ld\n", sum);
  return 0;
}
