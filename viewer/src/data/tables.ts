/* Sections with rows, as columns. */
import { Sections } from "./sections";

/* Columns of tables that may be missing. */
const COLUMNS = {
  old_functions: "frame calls total_ns self_ns running_ns waiting_ns preempted_ns self_running_ns self_waiting_ns p99_ns self_estimated",
  old_tree: "parent frame calls total_ns self_ns running_ns waiting_ns self_running_ns self_waiting_ns calls_estimated total_estimated self_estimated",
  functions: "frame calls total_ns self_ns running_ns waiting_ns preempted_ns self_running_ns self_waiting_ns self_preempted_ns error_ns avg_ns min_ns max_ns p50_ns p95_ns p99_ns self_share total_share samples calls_estimated total_estimated self_estimated histogram",
  tree: "parent frame calls total_ns self_ns running_ns waiting_ns self_running_ns self_waiting_ns calls_estimated total_estimated self_estimated",
  loops: "function inlined_from file parent level line last_line flags entries empty_entries iterations min_iterations avg_iterations max_iterations total_ns self_ns self_running_ns self_waiting_ns ns_per_iteration self_share estimated self_low_ns self_high_ns",
  lines: "file line function self_ns self_waiting_ns outside_ns calls_ns calls count samples self_share",
  slowest: "frame thread depth begin_ns duration_ns",
};

/* Without rows if the section is missing. */
export function tableOf<T>(sections: Sections, name: keyof typeof COLUMNS): T {
  return sections.has(name) ? sections.json<T>(name) : (Object.fromEntries(COLUMNS[name].split(" ").map((key) => [key, []])) as T);
}
