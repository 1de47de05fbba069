/*
 * allocations.cc [TURNS] - an allocation-heavy program, for rows_measures.py: trees of strings that are built and
 * dropped, and a list that grows.  Its functions are the library's, inlined into two of its own.
 */
#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>
#include <vector>

static __attribute__((noinline)) unsigned long tree(unsigned turn) {
  std::map<std::string, std::vector<int>> names;
  for (unsigned i = 0; i < 2000; i++) {
    std::string name = "a name that is longer than a small string " + std::to_string((i * 7919u + turn) % 3001u);
    names[name].push_back(static_cast<int>(i));
  }
  unsigned long sum = 0;
  for (const auto &entry : names)
    sum += entry.first.size() + entry.second.size();
  return sum;
}

int main(int count, char **arguments) {
  const unsigned turns = count > 1 ? static_cast<unsigned>(std::atoi(arguments[1])) : 100;
  std::vector<char *> kept;
  unsigned long sum = 0;
  for (unsigned turn = 0; turn < turns; turn++) {
    sum += tree(turn);
    kept.push_back(static_cast<char *>(std::malloc(1000)));
  }
  std::printf("%lu %zu\n", sum, kept.size());
  return 0;
}
