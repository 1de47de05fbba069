// Objects made and held in a loop: GCC takes some of what makes them to stand at the end of the function.
#include <string>
#include <vector>

struct row {
  std::string name;
  double x;
  int n;
};

static std::string named(int i) {
  return std::string(static_cast<size_t>(i % 50), 'a');
}

int main(int count, char **) {
  std::vector<row> all;
  for (int i = 0; i < 100 * count; i++) { /* main */
    all.push_back({named(i), i / 7.0, i % 13});
  } /* end */
  return all.size() == 7;
}
