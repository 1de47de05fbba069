/* collector.cc - in place of oneTBB's itt_notify.cpp, which asks whether a collector of ITT can be loaded: one is
 * there. */
extern "C" void __itt_fini_ittlib(void) {}

namespace tbb {
namespace detail {
namespace r1 {
int __TBB_load_ittnotify() {
  return 1;
}
} // namespace r1
} // namespace detail
} // namespace tbb
