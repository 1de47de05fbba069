/* What single calls were given, what they returned, and what they reported: in the words of prof replay. */

export interface ValueColumns {
  any: boolean; /* the recording may have some */
  all: number; /* calls that have some */
  thread: number[];
  depth: number[];
  begin_ns: number[];
  arguments: string[];
  returned: string[];
  lines: number[]; /* of `texts`, call after call */
  lines_all: number[];
  texts: string[];
}

export interface CallValues {
  arguments: string; /* "": none */
  returned: string; /* "": nothing */
  lines: string[];
  linesAll: number; /* before some were left out */
}

/* A call of the timeline. */
export interface CallPlace {
  thread: number;
  depth: number;
  begin: number;
}

export function keyOf(call: CallPlace): string {
  return `${call.thread}.${call.depth}.${call.begin}`;
}

export class Values {
  readonly any: boolean;
  private readonly all: number;
  private readonly of = new Map<string, CallValues | null>(); /* null: the call has none */
  private rows = 0;

  constructor(columns: Partial<ValueColumns>) {
    this.any = columns.any ?? false;
    this.all = columns.all ?? 0;
    this.add(columns);
  }

  add(columns: Partial<ValueColumns>): void {
    if (!columns.thread) return;
    const all = columns as ValueColumns;
    let from = 0;
    all.thread.forEach((thread, i) => {
      const lines = all.texts.slice(from, (from += all.lines[i]));
      this.of.set(keyOf({ thread, depth: all.depth[i], begin: all.begin_ns[i] }), { arguments: all.arguments[i], returned: all.returned[i], lines, linesAll: all.lines_all[i] });
      this.rows++;
    });
  }

  /* The server's answer about a call. */
  answer(call: CallPlace, columns: ValueColumns): void {
    this.add(columns);
    if (!this.of.has(keyOf(call))) this.of.set(keyOf(call), null);
  }

  /* undefined: not at hand. */
  get(call: CallPlace): CallValues | null | undefined {
    return this.of.get(keyOf(call));
  }

  /* Has this page those of all calls? */
  isWhole(): boolean {
    return this.rows >= this.all;
  }
}
