/* Waits for locks: which, when, who held it. */
import { firstAbove } from "./lanes";
import { Sections } from "./sections";

interface LockColumns {
  thread: number[];
  begin_ns: number[];
  end_ns: number[];
  lock: number[];
  holder: number[];
  released_ns: number[];
  holder_frame: number[];
  names: string[];
}

export interface LockWait {
  thread: number;
  begin: number; /* ns */
  end: number;
  name: string; /* of the lock */
  holder: number; /* thread; -1: not known */
  frame: number; /* in which it took the lock; -1: not known */
  released: number; /* by the holder; -1: not before the end */
}

interface OfThread {
  waits: LockWait[]; /* by time: a thread waits for one thing at a time */
  ends: number[];
}

export class Locks {
  private readonly threads = new Map<number, OfThread>();
  readonly all: LockWait[] = [];

  constructor(sections: Sections) {
    const columns = sections.json<Partial<LockColumns>>("locks") as LockColumns;
    (columns.thread ?? []).forEach((thread, i) => {
      const wait = { thread, begin: columns.begin_ns[i], end: columns.end_ns[i], name: columns.names[columns.lock[i]], holder: columns.holder[i], frame: columns.holder_frame[i], released: columns.released_ns[i] };
      let of = this.threads.get(thread);
      if (!of) this.threads.set(thread, (of = { waits: [], ends: [] }));
      of.waits.push(wait);
      of.ends.push(wait.end);
      this.all.push(wait);
    });
  }

  /* Those that lie in a part of the time. */
  within(thread: number, t0: number, t1: number): LockWait[] {
    const of = this.threads.get(thread);
    if (!of) return [];
    const out: LockWait[] = [];
    for (let i = firstAbove(of.ends, t0); i < of.waits.length && of.waits[i].begin < t1; i++) out.push(of.waits[i]);
    return out;
  }

  /* The wait that a thread is in at a time, or that is less than `near` away. */
  at(thread: number, time: number, near = 0): LockWait | null {
    return this.within(thread, time - near, time + Math.max(near, 1))[0] ?? null;
  }

  begins(thread: number, begin: number): LockWait | null {
    return this.threads.get(thread)?.waits.find((wait) => wait.begin === begin) ?? null;
  }

  /* The next wait of the same thread, or the one before. */
  beside(wait: LockWait, by: 1 | -1): LockWait | null {
    const waits = this.threads.get(wait.thread)?.waits ?? [];
    return waits[waits.indexOf(wait) + by] ?? null;
  }

  longest(most: number): LockWait[] {
    return [...this.all].sort((a, b) => b.end - b.begin - (a.end - a.begin)).slice(0, most);
  }
}
