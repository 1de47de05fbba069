/* The recording that this one is compared with: sections `old`, `old_functions` and `old_tree`. */
import type { Functions, TreeColumns } from "./model";
import { Sections } from "./sections";
import { tableOf } from "./tables";

export type Verdict = "unknown" | "same" | "faster" | "slower";

interface OldFacts {
  recording: string;
  start_realtime_ns: number;
  wall_ns: number;
  events: number;
  has_switches: boolean;
  judged: boolean; /* prof diff has compared the two; else a filter hides a part */
  old_runs: number;
  new_runs: number;
  program_verdict: Verdict;
  program_ratio: number | null;
  program_low: number | null;
  program_high: number | null;
  recorded_differently: boolean;
  machines_differ: boolean;
  incomplete: boolean;
}

interface OldColumns extends OldFacts {
  row_as: number[]; /* per frame: the one that stands for it among rows, */
  path_as: number[]; /* and on call paths */
  frame: number[]; /* the rest is of rows that prof diff judged */
  metric: ("running" | "waiting")[];
  verdict: Verdict[];
  ratio: (number | null)[];
  low: (number | null)[];
  high: (number | null)[];
  runs_needed: number[];
  other_work: number[];
  guess: string[];
  guess_name: string[];
}

export interface Judged {
  verdict: Verdict;
  ratio: number; /* NaN: not known, as the next */
  low: number;
  high: number;
  runsNeeded: number; /* 0: not known */
  otherWork: boolean;
  guess: string; /* "": none */
  guessName: string;
}

export class Old {
  readonly facts: OldFacts;
  readonly functions: Functions;
  readonly tree: TreeColumns;
  private readonly columns: OldColumns;
  private readonly judgedRows = new Map<string, number>();

  /* null: the page is of one recording. */
  static of(sections: Sections): Old | null {
    return sections.json<Partial<OldFacts>>("old").recording === undefined ? null : new Old(sections);
  }

  private constructor(sections: Sections) {
    this.facts = this.columns = sections.json("old");
    this.functions = tableOf(sections, "old_functions");
    this.tree = tableOf(sections, "old_tree");
    this.columns.frame.forEach((frame, i) => {
      const key = `${frame} ${this.columns.metric[i]}`;
      if (!this.judgedRows.has(key)) this.judgedRows.set(key, i);
    });
  }

  /* The last part of its path. */
  name(): string {
    const path = this.facts.recording.replace(/\/(trace)?$/, "");
    return path.slice(path.lastIndexOf("/") + 1);
  }

  rowAs(frame: number): number {
    return this.columns.row_as[frame] ?? frame;
  }

  pathAs(frame: number): number {
    return this.columns.path_as[frame] ?? frame;
  }

  /* What prof diff found out about a function, by the frame that stands for it; null: it was not compared. */
  judged(frame: number, metric: "running" | "waiting"): Judged | null {
    const at = this.judgedRows.get(`${frame} ${metric}`);
    if (at === undefined) return null;
    const { verdict, ratio, low, high, runs_needed, other_work, guess, guess_name } = this.columns;
    return {
      verdict: verdict[at],
      ratio: ratio[at] ?? NaN,
      low: low[at] ?? NaN,
      high: high[at] ?? NaN,
      runsNeeded: runs_needed[at],
      otherWork: other_work[at] > 0,
      guess: guess[at],
      guessName: guess_name[at],
    };
  }
}
