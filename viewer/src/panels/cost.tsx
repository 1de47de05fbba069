/* What recording cost, what was lost, and what this page leaves out. */
import { h } from "preact";
import { Store } from "../state";
import { count, plural, short, time } from "../text";

const LEFT: [string, string][] = [
  ["functions", "functions with less self time (prof report)"],
  ["tree_paths", "small call paths (prof tree --min-share=0)"],
  ["thread_tree_paths", "small call paths of single threads"],
  ["values", "calls' arguments, returned values and values (prof replay)"],
  ["lock_waits", "short waits for locks"],
  ["gpu_tree_paths", "small call paths of GPU time"],
  ["old_functions", "functions before with less self time"],
  ["old_tree_paths", "small call paths before"],
  ["lines", "lines with less cost (prof lines)"],
  ["source_files", "source files, which did not fit"],
  ["code_functions", "functions' instructions, which did not fit (prof annotate --asm)"],
  ["deep_calls", "calls below 256 levels on the timeline"],
  ["long_names", "ends of names over 1,024 bytes"],
];

export function CostCard(props: { store: Store }) {
  const { store } = props;
  const { meta } = store.model;
  const { cover, left_out: left } = meta;
  const out = LEFT.filter(([key]) => left[key] > 0);
  return (
    <section>
      <h2>Cost and losses</h2>
      <ul class="plain">
        {meta.warning && <li class="warn">{meta.warning}; details: prof info</li>}
        <li>
          probe overhead {meta.corrected ? "removed" : "included"}
          {cover.probe_taken_ns > 0 ? `: ${time(cover.probe_taken_ns)}, uncertainty ${time(cover.probe_error_ns)}` : cover.probe_cost_per_call_ns > 0 ? `: at most ${time(cover.probe_cost_per_call_ns)} a call` : ", of unknown size"}
        </li>
        {cover.stall_ns > 0 && <li>threads waited {time(cover.stall_ns)} for the recorder; no time contains it</li>}
        <li>{cover.lost_events > 0 ? <b class="warn">{plural(cover.lost_events, "event")} lost</b> : "no event was lost"}</li>
        {cover.burst_functions > 0 && <li>{plural(cover.burst_functions, "function")} recorded in bursts: figures with ~ are estimates</li>}
        {cover.folded_paths > 0 && <li>{plural(cover.folded_paths, "cold call path")} in [other], not in their own rows; a larger --max-memory shows more</li>}
        {left.merged_calls > 0 && !store.server && (
          <li>
            timeline: {short(left.merged_calls)} calls shorter than {time(left.resolution_ns)} are summed
          </li>
        )}
        {out.length > 0 && <li>left out of this page: {out.map(([key, words]) => `${count(left[key])} ${words}`).join("; ")}</li>}
      </ul>
    </section>
  );
}
