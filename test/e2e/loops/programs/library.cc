// Loops over the library's containers, around its algorithms, before main and behind it, and with exceptions; by
// -std=c++20.
#include <algorithm>
#include <deque>
#include <functional>
#include <numeric>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "by_hand.h"

static int cells[500];

APART static void touch(int i) {
  cells[static_cast<unsigned>(i) % 500]++;
}

// Before main.
struct table {
  std::vector<int> squares;
  table() {
    LOOP_IN(table);
    for (int i = 0; i < unknown(50); i++) { /* loop table */
      LOOP_IT(table);
      squares.push_back(i * i);
    }
  }
  ~table() {
    LOOP_IN(table_end);
    for (int square : squares) { /* loop table_end */
      LOOP_IT(table_end);
      touch(square);
    }
  }
};
static table of_all;

APART static int backwards(const std::deque<int> &all) {
  int sum = 0;
  LOOP_IN(backwards);
  for (auto at = all.rbegin(); at != all.rend(); ++at) { /* loop backwards */
    LOOP_IT(backwards);
    touch(*at);
    sum = sum * 3 + *at;
  }
  return sum;
}

APART static int hashed(const std::unordered_map<std::string, int> &all) {
  int sum = 0;
  LOOP_IN(hashed);
  for (const auto &[name, value] : all) { /* loop hashed */
    LOOP_IT(hashed);
    touch(static_cast<int>(name.size()));
    sum += value;
  }
  return sum;
}

APART static int with_begin(const std::set<std::string_view> &all) {
  int sum = 0;
  LOOP_IN(with_begin);
  for (int i = 1; std::string_view word : all) { /* loop with_begin */
    LOOP_IT(with_begin);
    sum += static_cast<int>(word.size()) * i++;
  }
  return sum;
}

APART static int listed() {
  int sum = 0;
  LOOP_IN(listed);
  for (int value : {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9, 3, 2, 3, 8, 4, 6, 2, 6}) { /* loop listed removable */
    LOOP_IT(listed);
    touch(value);
    sum += value;
  }
  return sum;
}

template <class Iterator, class Function> APART static void mine(Iterator from, Iterator to, Function what) {
  LOOP_IN(mine);
  for (; from != to; ++from) { /* loop mine */
    LOOP_IT(mine);
    what(*from);
  }
}

APART static int around_algorithms(std::vector<int> all) {
  int found = 0;
  LOOP_IN(around_algorithms);
  for (size_t n = 1; n < all.size(); n += 7) { /* loop around_algorithms */
    LOOP_IT(around_algorithms);
    std::reverse(all.begin(), all.begin() + static_cast<long>(n));
    found += std::find(all.begin(), all.end(), static_cast<int>(n)) != all.end();
    std::for_each(all.begin(), all.end(), [&](int v) { found += v % 5 == 0; });
    found += static_cast<int>(std::count_if(all.begin(), all.end(), [](int v) { return v & 1; }));
  }
  std::sort(all.begin(), all.end(), std::greater<>());
  return std::accumulate(all.begin(), all.end(), found);
}

APART static int tried(int n) {
  int caught = 0, i = 0;
  LOOP_IN(tried);
  while (true) { /* loop tried merged */
    LOOP_IT(tried);
    try {
      touch(i);
      if (++i > n)
        break;
      if (i % 4 == 3)
        throw i;
    } catch (int value) {
      caught += value;
      if (value > 100)
        break;
    }
  }
  return caught;
}

APART static int guarded(int n) try {
  LOOP_IN(guarded);
  for (int i = 0;; i++) { /* loop guarded */
    LOOP_IT(guarded);
    touch(i);
    if (i == n)
      throw n;
  }
} catch (int value) {
  return value;
}

struct matrix {
  int width, height;
  std::vector<int> of;
  APART matrix(int w, int h) : width(w), height(h), of(static_cast<size_t>(w * h)) {
    LOOP_IN(matrix);
    for (int y = 0; y < h; y++) { /* loop matrix */
      LOOP_IT(matrix);
      LOOP_IN(matrix_row);
      for (int x = 0; x < w; x++) { /* loop matrix_row depth=2 */
        LOOP_IT(matrix_row);
        at(x, y) = unknown(x * y);
      }
    }
  }
  int &at(int x, int y) { return of[static_cast<size_t>(y * width + x)]; }
};

int main() {
  long sum = listed();
  for (int size : {0, 1, 2, 5, 13, 60, 199}) {
    int n = unknown(size);
    std::vector<int> in_row(static_cast<size_t>(n));
    std::iota(in_row.begin(), in_row.end(), unknown(4));
    std::deque<int> both(in_row.begin(), in_row.end());
    std::unordered_map<std::string, int> named;
    static const char text[] = "abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyz";
    std::set<std::string_view> words;
    for (int i = 0; i < n; i++) {
      named[std::to_string(i * i)] = i;
      words.insert(std::string_view(text).substr(static_cast<size_t>(i % 26), static_cast<size_t>(i / 26 + 1)));
    }
    sum += backwards(both) + hashed(named) + with_begin(words);
    mine(in_row.begin(), in_row.end(), touch);
    mine(in_row.rbegin(), in_row.rend(), touch);
    sum += around_algorithms(in_row) + tried(n) + guarded(n);
    matrix made(n % 40 + 1, 30);
    sum += made.at(0, 3);
  }
  for (int cell : cells)
    sum = sum * 31 + cell;
  printf("%ld\n", sum);
  return 0;
}
