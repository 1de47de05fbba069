// Much debug information from little source: compiled several times, each time with another PART.
#include <algorithm>
#include <functional>
#include <future>
#include <map>
#include <memory>
#include <numeric>
#include <optional>
#include <random>
#include <regex>
#include <sstream>
#include <string>
#include <tuple>
#include <unordered_map>
#include <variant>
#include <vector>

#define JOIN(a, b) a##b
#define NAME(a, b) JOIN(a, b)
#define PLACE NAME(part, PART)
#define RUN NAME(run, PART)

namespace PLACE {
template <int N> struct Row {
  int values[N + 1];
  bool operator<(const Row &other) const { return values[0] < other.values[0]; }
};

template <int N> long work(std::mt19937 &random) {
  std::vector<Row<N>> rows(100);
  for (auto &row : rows)
    for (int &value : row.values)
      value = static_cast<int>(random());
  std::sort(rows.begin(), rows.end());
  std::stable_sort(rows.begin(), rows.end());
  std::make_heap(rows.begin(), rows.end());
  std::map<int, Row<N>> ordered;
  for (auto &row : rows)
    ordered[row.values[0]] = row;
  std::unordered_map<std::string, Row<N>> hashed;
  for (auto &row : rows)
    hashed[std::to_string(row.values[0])] = row;
  std::variant<int, std::string, Row<N>> one = rows[0];
  long sum = std::visit([](auto &&value) -> long { return sizeof value; }, one);
  std::regex pattern("x(" + std::to_string(N) + ")*y");
  sum += std::regex_match("xy", pattern);
  auto later = std::async(std::launch::deferred, [&] {
    return std::accumulate(rows.begin(), rows.end(), 0L, [](long x, const Row<N> &row) { return x + row.values[0]; });
  });
  std::function<long(long)> add = [&](long x) { return x + long(ordered.size()) + long(hashed.size()); };
  return add(sum + later.get());
}

template <int... Sizes> long all(std::integer_sequence<int, Sizes...>) {
  std::mt19937 random(1);
  return (0L + ... + work<PART * 100 + Sizes>(random));
}
} // namespace PLACE

long RUN(int more) {
  return more + PLACE::all(std::make_integer_sequence<int, 10>());
}
