/* Figures of a part of the recording's time, exact: from the server. */
import { Figures, Functions, Lines, Loops, Slowest, TreeColumns } from "./model";
import { Sections } from "./sections";
import { tableOf } from "./tables";

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
  readonly loops: Loops;
  readonly lines: Lines;
  readonly slowest: Slowest;
  readonly facts: RangeFacts;
  private readonly rows = new Map<number, number>();

  constructor(sections: Sections) {
    this.facts = sections.json("range");
    this.functions = tableOf<Functions>(sections, "functions");
    this.tree = tableOf<TreeColumns>(sections, "tree");
    this.loops = tableOf<Loops>(sections, "loops");
    this.lines = tableOf<Lines>(sections, "lines");
    this.slowest = tableOf<Slowest>(sections, "slowest");
    this.threadTree = this.facts.empty ? this.tree : sections.json("thread_tree");
    this.functions.frame.forEach((frame, row) => this.rows.set(frame, row));
  }

  rowOf(frame: number): number {
    return this.rows.get(frame) ?? -1;
  }
}
