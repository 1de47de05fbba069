/* Costs of source lines and loops, by file. */
import { allSelf, Figures, Kind, Model, SELF } from "./model";
import { about, time } from "../text";

export interface LineCost {
  line: number;
  self: number; /* ns of running time, by samples */
  share: number;
  waiting: number;
  outside: number; /* ns of running time in libraries and the kernel because of the line */
  inCalls: number; /* ns in calls from the line */
  calls: number;
  samples: number;
  function: string;
}

/* By line; what has no line is at 0. */
export function costsOf(figures: Figures, file: number): Map<number, LineCost> {
  const { lines } = figures;
  const out = new Map<number, LineCost>();
  for (let i = 0; i < lines.file.length; i++) {
    if (lines.file[i] !== file) continue;
    const cost = out.get(lines.line[i]) ?? { line: lines.line[i], self: 0, share: 0, waiting: 0, outside: 0, inCalls: 0, calls: 0, samples: 0, function: lines.function[i] };
    cost.self += lines.self_ns[i];
    cost.share += lines.self_share[i];
    cost.waiting += lines.self_waiting_ns[i];
    cost.outside += lines.outside_ns[i];
    cost.inCalls += lines.calls_ns[i];
    cost.calls += lines.calls[i];
    cost.samples += lines.samples[i];
    out.set(cost.line, cost);
  }
  return out;
}

export interface FileCost {
  file: number;
  self: number; /* with time outside */
  inCalls: number;
  source: number; /* row of `sources`; -1: no text */
}

/* Files with costs, the costliest first; without samples calls decide. */
export function filesOf(figures: Figures, { sources }: Model): FileCost[] {
  const { lines } = figures;
  const out = new Map<number, FileCost>();
  for (let i = 0; i < lines.file.length; i++) {
    if (lines.file[i] < 0 || lines.line[i] <= 0) continue; /* line 0: a library's function, or a wait */
    const cost = out.get(lines.file[i]) ?? { file: lines.file[i], self: 0, inCalls: 0, source: sources.file.indexOf(lines.file[i]) };
    cost.self += lines.self_ns[i] + lines.outside_ns[i];
    cost.inCalls += lines.calls_ns[i];
    out.set(cost.file, cost);
  }
  return [...out.values()].sort((a, b) => b.self - a.self || b.inCalls - a.inCalls);
}

/* Running time because of a line, but for calls of instrumented functions. */
export function ranOf(cost: LineCost): number {
  return cost.self + cost.outside;
}

/* The costliest lines of a list of costs. */
export function hottest(costs: Iterable<LineCost>, most: number, from = 1, to = Infinity): LineCost[] {
  return [...costs]
    .filter((cost) => cost.line >= from && cost.line <= to && ranOf(cost) + cost.inCalls > 0)
    .sort((a, b) => ranOf(b) - ranOf(a) || b.inCalls - a.inCalls)
    .slice(0, most);
}

const COUNTABLE = 1;
const CONSTANT = 2;
const VECTORISED = 4;
const UNROLLED = 8;
const GONE = 16;

/* What the compiler made of a loop, in the words of prof loops. */
export function loopFacts(flags: number): string[] {
  const out: string[] = [];
  if (flags & CONSTANT) out.push("constant");
  else if (flags & COUNTABLE) out.push("countable");
  if (flags & VECTORISED) out.push("vectorised");
  if (flags & UNROLLED) out.push("unrolled");
  if (flags & GONE) out.push("gone");
  return out;
}

/* Rows of loops of a file, in the order of lines. */
export function loopsOf({ loops }: Figures, file: number): number[] {
  return (loops.file ?? []).map((_, i) => i).filter((i) => loops.file[i] === file).sort((a, b) => loops.line[a] - loops.line[b]);
}

/* Loops with self time of that kind, the most first. */
export function hotLoopsOf({ loops }: Figures, kind: Kind): number[] {
  const self = loops[SELF[kind]] ?? [];
  return self.map((_, i) => i).filter((i) => self[i] > 0).sort((a, b) => self[b] - self[a]);
}

/* Loops recorded in bursts, whose own time of that kind is not known. */
export function untimedLoopsOf({ loops }: Figures, kind: Kind): number {
  return loops.estimated.filter((is, i) => is && !(loops[SELF[kind]][i] >= 0)).length;
}

/* Own time of that kind, or that it is not known. */
export function ownTimeOf({ loops }: Figures, loop: number, kind: Kind): string {
  const self = loops[SELF[kind]][loop];
  return self >= 0 ? about(loops.estimated[loop] || loops.self_low_ns[loop] < loops.self_high_ns[loop], time(self)) : "time not known";
}

/* -1: none, or a loop in bursts may be hotter. */
export function hottestLoopOf(figures: Figures, kind: Kind): number {
  const self = figures.loops[SELF[kind]] ?? [];
  const rows = hotLoopsOf(figures, kind);
  const unknown = rows.reduce((rest, i) => rest - self[i], allSelf(figures.functions, kind));
  return !rows.length || (untimedLoopsOf(figures, kind) > 0 && self[rows[0]] < unknown) ? -1 : rows[0];
}

/* The hottest line between a loop's first and last. */
export function hotLineOf(figures: Figures, loop: number): LineCost | undefined {
  const { file, line, last_line } = figures.loops;
  if (file[loop] < 0) return undefined;
  return hottest(costsOf(figures, file[loop]).values(), 1, line[loop], Math.max(line[loop], last_line[loop]))[0];
}
