/* Calls in time: the section `lanes`, and searches in it.  Times are ns since the start of the recording. */

export const CALLS = 0;
export const STATES = 1;
export const GPU = 2;

/* Streams stand beside threads in the timeline: with numbers below 0. */
export function streamOf(thread: number): number {
  return -1 - thread;
}

export const CUT_BEGIN = 1;
export const CUT_END = 2;
const LANE_HEAD = 24;

export interface Lane {
  kind: number;
  thread: number;
  depth: number;
  begin: Float64Array; /* of calls */
  end: Float64Array;
  frame: Uint32Array;
  flags: Uint8Array;
  cellBegin: Float64Array; /* of cells; each is one step long */
  cover: Float64Array;
  cellCalls: Uint32Array;
  cellFrame: Uint32Array;
}

export interface Call {
  lane: Lane;
  at: number; /* index in the lane */
}

class Varints {
  constructor(private readonly bytes: Uint8Array, private at: number) {}

  next(): number {
    let value = 0;
    let scale = 1;
    for (;;) {
      const byte = this.bytes[this.at++];
      value += (byte & 127) * scale;
      if (byte < 128) return value;
      scale *= 128;
    }
  }

  fill<T extends { [at: number]: number; length: number }>(out: T): T {
    for (let i = 0; i < out.length; i++) out[i] = this.next();
    return out;
  }
}

function readLane(bytes: Uint8Array, at: number, head: number[], step: number): Lane {
  const [kind, thread, depth, calls, cells] = head;
  const numbers = new Varints(bytes, at);
  const begin = numbers.fill(new Float64Array(calls));
  const end = numbers.fill(new Float64Array(calls)); /* lengths, as yet */
  const frame = numbers.fill(new Uint32Array(calls));
  const flags = numbers.fill(new Uint8Array(calls));
  const cellBegin = numbers.fill(new Float64Array(cells));
  const cover = numbers.fill(new Float64Array(cells));
  const cellCalls = numbers.fill(new Uint32Array(cells));
  const cellFrame = numbers.fill(new Uint32Array(cells));
  for (let i = 0, now = 0; i < calls; i++) {
    begin[i] += now;
    now = end[i] += begin[i];
  }
  for (let i = 0, bucket = 0; i < cells; i++) {
    bucket += cellBegin[i];
    cellBegin[i] = bucket * step;
  }
  return { kind, thread, depth, begin, end, frame, flags, cellBegin, cover, cellCalls, cellFrame };
}

/* The first index at which `values` is more than `limit`. */
export function firstAbove(values: ArrayLike<number>, limit: number): number {
  let low = 0;
  let high = values.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (values[middle] > limit) high = middle;
    else low = middle + 1;
  }
  return low;
}

export class Lanes {
  readonly step: number; /* ns; shorter calls are in cells. 1: none are */
  readonly all: Lane[] = [];
  readonly byThread = new Map<number, Lane[]>(); /* by depth */
  readonly states = new Map<number, Lane>();

  constructor(bytes: Uint8Array) {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const count = bytes.length >= 8 ? view.getUint32(4, true) : 0;
    this.step = bytes.length >= 8 ? 2 ** view.getUint32(0, true) : 1;
    for (let i = 0, at = 8; i < count; i++) {
      const head = [0, 4, 8, 12, 16, 20].map((offset) => view.getUint32(at + offset, true));
      const lane = readLane(bytes, at + LANE_HEAD, head, this.step);
      at += LANE_HEAD + head[5];
      this.all.push(lane);
      if (lane.kind === CALLS) this.ofThread(lane.thread)[lane.depth] = lane;
      else if (lane.kind === STATES) this.states.set(lane.thread, lane);
      else if (lane.kind === GPU) {
        lane.thread = streamOf(lane.thread);
        this.ofThread(lane.thread)[0] = lane;
      }
    }
  }

  private ofThread(thread: number): Lane[] {
    const lanes = this.byThread.get(thread) ?? [];
    this.byThread.set(thread, lanes);
    return lanes;
  }

  lane(thread: number, depth: number): Lane | undefined {
    return this.byThread.get(thread)?.[depth];
  }

  /* The call that is open at a time; null: none is, or it is in a cell. */
  callAt(thread: number, depth: number, time: number): Call | null {
    const lane = this.lane(thread, depth);
    const at = lane ? firstAbove(lane.begin, time) - 1 : -1;
    return lane && at >= 0 && lane.end[at] >= time ? { lane, at } : null;
  }

  /* The call that begins exactly there. */
  callBegins(thread: number, depth: number, begin: number, frame: number): Call | null {
    const lane = this.lane(thread, depth);
    for (let at = lane ? firstAbove(lane.begin, begin) - 1 : -1; lane && at >= 0 && lane.begin[at] === begin; at--)
      if (frame < 0 || lane.frame[at] === frame) return { lane, at };
    return null;
  }

  /* Outermost first, with the call itself. */
  stack(call: Call): Call[] {
    const middle = (call.lane.begin[call.at] + call.lane.end[call.at]) / 2;
    const out: Call[] = [];
    for (let depth = 0; depth < call.lane.depth; depth++) {
      const outer = this.callAt(call.lane.thread, depth, middle);
      if (outer) out.push(outer);
    }
    out.push(call);
    return out;
  }
}

export interface InRange { /* of a frame, in a part of a lane */
  frame: number;
  calls: number;
  ns: number;
  merged: boolean; /* some of it is in cells, which have one frame each */
}

/* What ran in a part of a lane, the longest first. */
export function sumLane(lane: Lane | undefined, begin: number, end: number, step: number, into = new Map<number, InRange>()) {
  if (!lane) return into;
  const add = (frame: number, calls: number, ns: number, merged: boolean) => {
    const sum = into.get(frame) ?? { frame, calls: 0, ns: 0, merged: false };
    sum.calls += calls;
    sum.ns += ns;
    sum.merged = sum.merged || merged;
    into.set(frame, sum);
  };
  for (let i = firstAbove(lane.end, begin); i < lane.begin.length && lane.begin[i] < end; i++)
    add(lane.frame[i], 1, Math.min(lane.end[i], end) - Math.max(lane.begin[i], begin), false);
  for (let i = firstAbove(lane.cellBegin, begin - step); i < lane.cellBegin.length && lane.cellBegin[i] < end; i++)
    if (lane.cellBegin[i] >= begin || lane.cellBegin[i] + step > begin)
      add(lane.cellFrame[i], lane.cellCalls[i], lane.cover[i], lane.cellCalls[i] > 1);
  return into;
}

export function sorted(sums: Map<number, InRange>): InRange[] {
  return [...sums.values()].sort((a, b) => b.ns - a.ns || a.frame - b.frame);
}
