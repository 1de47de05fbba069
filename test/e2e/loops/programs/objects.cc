// Loops of C++: iterators, range-for, exceptions, destructors, lambdas.
#include <list>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "by_hand.h"

static int cells[500];

APART static void touch(int i) {
  cells[static_cast<unsigned>(i) % 500]++;
}

struct touching {
  int value;
  ~touching() { touch(value); }
};

APART static long over_vector(const std::vector<int> &all) {
  long sum = 0;
  LOOP_IN(over_vector);
  for (auto at = all.begin(); at != all.end(); ++at) { /* loop over_vector */
    LOOP_IT(over_vector);
    sum += *at;
  }
  return sum;
}

APART static long over_list(const std::list<int> &all) {
  long sum = 0;
  LOOP_IN(over_list);
  for (auto at = all.begin(); at != all.end(); ++at) { /* loop over_list */
    LOOP_IT(over_list);
    sum += *at;
  }
  return sum;
}

APART static long over_map(const std::map<int, int> &all) {
  long sum = 0;
  LOOP_IN(over_map);
  for (const auto &[key, value] : all) { /* loop over_map */
    LOOP_IT(over_map);
    sum += key * value;
  }
  return sum;
}

APART static long over_range(const std::vector<int> &all) {
  long sum = 0;
  LOOP_IN(over_range);
  for (int value : all) { /* loop over_range */
    LOOP_IT(over_range);
    touch(value);
    sum ^= value;
  }
  return sum;
}

APART static void with_objects(int n) {
  LOOP_IN(with_objects);
  for (int i = 0; i < n; i++) { /* loop with_objects */
    LOOP_IT(with_objects);
    touching one{i};
    if (i % 5 == 4)
      continue;
    touching other{i + 1};
    if (i == 50)
      break;
  }
}

APART static void may_throw(int i, int stop) {
  touch(i);
  if (i == stop)
    throw std::runtime_error("stop");
}

APART static int caught_within(int n) {
  int caught = 0;
  LOOP_IN(caught_within);
  for (int i = 0; i < n; i++) { /* loop caught_within */
    LOOP_IT(caught_within);
    try {
      may_throw(i, i % 4 ? -1 : i);
    } catch (const std::exception &) {
      caught++;
    }
  }
  return caught;
}

APART static int caught_behind(int n, int stop) {
  try {
    LOOP_IN(caught_behind);
    for (int i = 0; i < n; i++) { /* loop caught_behind */
      LOOP_IT(caught_behind);
      may_throw(i, stop);
    }
  } catch (const std::exception &) {
    return 1;
  }
  return 0;
}

// What is counted in this visit is lost: nothing of this function runs once the exception goes through it.
APART static void thrown_out(int n, int stop) {
  LOOP_IN(thrown_out);
  for (int i = 0; i < n; i++) { /* loop thrown_out entries-only */
    LOOP_IT(thrown_out);
    may_throw(i, stop);
  }
}

APART static void thrown_through(int n, int stop) {
  touching whole{7};
  LOOP_IN(thrown_through);
  for (int i = 0; i < n; i++) { /* loop thrown_through */
    LOOP_IT(thrown_through);
    touching one{i};
    may_throw(i, stop);
  }
}

APART static int nest_thrown(int n, int stop) {
  int left = 0;
  LOOP_IN(nest_thrown);
  for (int i = 0; i < n; i++) { /* loop nest_thrown */
    LOOP_IT(nest_thrown);
    try {
      LOOP_IN(nest_inner);
      for (int j = 0; j < i; j++) { /* loop nest_inner depth=2 */
        LOOP_IT(nest_inner);
        may_throw(j, stop);
      }
    } catch (const std::exception &) {
      left++;
    }
  }
  return left;
}

template <typename number> APART static number generic(number n) {
  number sum = 0;
  LOOP_IN(generic);
  for (number i = 0; i < n; i++) { /* loop generic */
    LOOP_IT(generic);
    touch(static_cast<int>(i));
    sum += i;
  }
  return sum;
}

APART static int in_lambda(int n) {
  auto counted = [](int m) {
    int made = 0;
    LOOP_IN(in_lambda);
    while (m > 3) { /* loop in_lambda */
      LOOP_IT(in_lambda);
      touch(m);
      m = m * 2 / 3;
      made++;
    }
    return made;
  };
  return counted(n) + counted(n / 2);
}

APART static size_t words(const std::string &text) {
  size_t count = 0, at = 0;
  LOOP_IN(words);
  while ((at = text.find(' ', at)) != std::string::npos) { /* loop words */
    LOOP_IT(words);
    at++;
    count++;
  }
  return count;
}

APART static int growing(int n) {
  std::vector<std::unique_ptr<int>> all;
  LOOP_IN(growing);
  for (int i = 0; i < n; i++) { /* loop growing */
    LOOP_IT(growing);
    all.push_back(std::make_unique<int>(i));
  }
  return static_cast<int>(all.size());
}

int main() {
  long sum = 0;
  for (int size : {0, 1, 2, 5, 13, 60, 199}) {
    int n = unknown(size);
    std::vector<int> in_row;
    std::list<int> chained;
    std::map<int, int> sorted;
    std::string text = "a";
    for (int i = 0; i < n; i++) {
      in_row.push_back(i * 3);
      chained.push_back(i * 5);
      sorted[i * 7] = i;
      text += i % 3 ? "b" : " c ";
    }
    sum += over_vector(in_row) + over_list(chained) + over_map(sorted) + over_range(in_row);
    with_objects(n);
    sum += caught_within(n) + caught_behind(n, unknown(9)) + nest_thrown(n % 61, unknown(9));
    try {
      thrown_out(n, unknown(11));
    } catch (const std::exception &) {
      sum++;
    }
    try {
      thrown_through(n, unknown(12));
    } catch (const std::exception &) {
      sum++;
    }
    sum += static_cast<long>(generic<int>(n) + generic<unsigned char>(static_cast<unsigned char>(n)));
    sum += static_cast<long>(generic<double>(n)) + in_lambda(n) + static_cast<long>(words(text)) + growing(n);
  }
  for (int cell : cells)
    sum = sum * 31 + cell;
  printf("%ld\n", sum);
  return 0;
}
