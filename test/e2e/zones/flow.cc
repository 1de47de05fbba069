/* flow.cc - a flow graph of oneTBB: 1,000 bodies of nodes, which the library marks by ITT. */
#include <atomic>
#include <cstdio>
#include <oneapi/tbb/flow_graph.h>
#include <oneapi/tbb/parallel_for.h>

using namespace oneapi::tbb;

static std::atomic<long> sum;

__attribute__((noinline)) static int square(int value) {
  for (int i = 0; i < 2000; i++)
    sum += i;
  return value;
}

int main() {
  flow::graph graph;
  flow::broadcast_node<int> start(graph);
  flow::function_node<int, int> first(graph, flow::unlimited, square);
  flow::function_node<int, int> second(graph, flow::serial, [](int value) {
    sum += value;
    return value;
  });
  flow::make_edge(start, first);
  flow::make_edge(first, second);
  for (int i = 0; i < 500; i++)
    start.try_put(i);
  graph.wait_for_all();
  parallel_for(0, 100, [](int i) { sum += i; });
  std::printf("%ld\n", sum.load());
}
