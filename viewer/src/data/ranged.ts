/* Figures of a part of the recording's time, exact: from the server. */
import { Figures, Functions, noRows, TreeColumns } from "./model";
import { Sections } from "./sections";

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
    this.functions = this.facts.empty ? noRows<Functions>("functions") : sections.json("functions");
    this.tree = this.facts.empty ? noRows<TreeColumns>("tree") : sections.json("tree");
    this.threadTree = this.facts.empty ? this.tree : sections.json("thread_tree");
    this.functions.frame.forEach((frame, row) => this.rows.set(frame, row));
  }

  rowOf(frame: number): number {
    return this.rows.get(frame) ?? -1;
  }
}
