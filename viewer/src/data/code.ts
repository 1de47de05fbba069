/* Instructions of functions with their costs, and the chains of inlined calls that they came from. */

export interface CodeColumns {
  frame: number[];
  instructions: number[]; /* of each function, one after another in the following */
  address: number[];
  text: string[];
  samples: number[];
  share: number[];
  calls: number[];
  calls_ns: number[];
  calls_estimated: number[];
  probe: string[];
  place: number[]; /* -1: not known */
  place_outer: number[]; /* that it was inlined into; -1: none */
  place_function: string[];
  place_file: number[];
  place_line: number[];
}

export interface Place {
  function: string;
  file: number;
  line: number;
}

export interface Instruction {
  address: number;
  text: string;
  samples: number;
  share: number; /* of all samples */
  calls: number;
  callsNs: number;
  estimated: boolean;
  probe: string;
  chain: Place[]; /* innermost first; the last one is the function itself */
}

export class Codes {
  private readonly of = new Map<number, Instruction[]>();

  add(columns: Partial<CodeColumns>): void {
    if (!columns.frame) return;
    const all = columns as CodeColumns;
    const chains = all.place_outer.map((_, place) => {
      const chain: Place[] = [];
      for (let at = place; at >= 0; at = all.place_outer[at]) chain.push({ function: all.place_function[at], file: all.place_file[at], line: all.place_line[at] });
      return chain;
    });
    let from = 0;
    all.frame.forEach((frame, i) => {
      const rows: Instruction[] = [];
      for (const end = from + all.instructions[i]; from < end; from++)
        rows.push({
          address: all.address[from],
          text: all.text[from],
          samples: all.samples[from],
          share: all.share[from],
          calls: all.calls[from],
          callsNs: all.calls_ns[from],
          estimated: all.calls_estimated[from] > 0,
          probe: all.probe[from],
          chain: chains[all.place[from]] ?? [],
        });
      this.of.set(frame, rows);
    });
  }

  /* undefined: not at hand. */
  get(frame: number): Instruction[] | undefined {
    return this.of.get(frame);
  }

  /* The function with the costliest instructions from a line; -1: none is at hand. */
  functionOf(file: number, line: number): number {
    let best = -1;
    let most = -1;
    for (const [frame, rows] of this.of) {
      const met = rows.filter((row) => isFrom(row, file, line));
      const share = met.reduce((sum, row) => sum + row.share, 0);
      if (met.length && share > most) [best, most] = [frame, share];
    }
    return best;
  }
}

/* Is it, or the call that it was inlined for, on this line? */
export function isFrom(row: Instruction, file: number, line: number): boolean {
  return row.chain.some((place) => place.file === file && place.line === line);
}

/* The innermost place of the chain in a file; undefined: none. */
export function placeIn(row: Instruction, file: number): Place | undefined {
  return row.chain.find((place) => place.file === file);
}

/* Index of the instruction with most samples, else with most time in calls. */
export function hottestOf(rows: Instruction[]): number {
  let best = 0;
  rows.forEach((row, i) => {
    if (row.share > rows[best].share || (row.share === rows[best].share && row.callsNs > rows[best].callsNs)) best = i;
  });
  return best;
}
