/* Figures of a part of the recording's time, exact: from the server. */
import { Figures, Functions, TreeColumns } from "./model";
import { Sections } from "./sections";

const NO_FUNCTIONS = "frame calls total_ns self_ns running_ns waiting_ns preempted_ns self_running_ns self_waiting_ns self_preempted_ns error_ns avg_ns min_ns max_ns p50_ns p95_ns p99_ns self_share total_share samples calls_estimated total_estimated self_estimated histogram";
const NO_TREE = "parent frame calls total_ns self_ns running_ns waiting_ns self_running_ns self_waiting_ns calls_estimated total_estimated self_estimated";

function empty(keys: string): object {
  return Object.fromEntries(keys.split(" ").map((key) => [key, []]));
}

interface RangeFacts {
  begin_ns: number;
  end_ns: number;
  empty: boolean;
  cover?: Record<string, number>;
  left_out: Record<string, number>;
}

export class Ranged implements Figures {
  readonly functions: Functions;
  readonly tree: TreeColumns;
  readonly threadTree: TreeColumns | null;
  readonly facts: RangeFacts;
  private readonly rows = new Map<number, number>();

  constructor(sections: Sections) {
    this.facts = sections.json("range");
    this.functions = this.facts.empty ? (empty(NO_FUNCTIONS) as Functions) : sections.json("functions");
    this.tree = this.facts.empty ? (empty(NO_TREE) as TreeColumns) : sections.json("tree");
    this.threadTree = this.facts.empty ? this.tree : sections.json("thread_tree");
    this.functions.frame.forEach((frame, row) => this.rows.set(frame, row));
  }

  rowOf(frame: number): number {
    return this.rows.get(frame) ?? -1;
  }
}
