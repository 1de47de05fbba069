/* The timeline: what lies where, how it is painted, and what is at a point.  Calls narrower than 3 pixels are summed per column. */
import { Call, CUT_BEGIN, CUT_END, firstAbove, Lane, Lanes } from "../data/lanes";
import { LockWait } from "../data/locks";
import { Model } from "../data/model";
import { clean, count, shortName, time } from "../text";
import { colorOf, rgbOf, themed } from "./color";
import { Surface } from "./surface";
import { paintTrack, trackHeight, trackHit } from "./tracks";

export const AXIS = 22; /* pixels */
const HEAD = 10; /* of a thread: its states */
const STATES = 6;
const LEVEL = 18;
const CLOSED = 14;
const WIDE = 3; /* from this many pixels on a call is a box of its own */

const NO_THREAD = -1e9;
export const MOST_TRACKS = 24; /* rows, and the one that was looked for */

export interface Row {
  thread: number;
  track: number; /* of the points; -1: it is a thread or stream */
  y: number; /* below the axis, scrolling not counted */
  height: number;
  levels: number; /* shown */
  all: number;
  open: boolean;
}

export interface View {
  t0: number;
  t1: number;
  width: number;
  height: number;
  scroll: number;
  rows: Row[];
  lanes: Lanes; /* the finest at hand that have all that is in view */
  call: Call | null; /* selected */
  frame: number; /* all its calls are marked */
  range: [number, number] | null;
  item: { track: number; at: number } | null; /* selected */
  wait: LockWait | null; /* selected */
}

const MANY = 40; /* threads */

/*
 * Threads in the order of processes, the first to begin first; those without calls are left out.  Where there are many,
 * those that are not alive between t0 and t1 are left out too, but for `kept`.  Of many tracks the first ones are
 * shown, and `wanted`; -1: none.
 */
export function rowsOf(model: Model, open: number[], first: number, t0: number, t1: number, kept: number, wanted: number): Row[] {
  const { threads, lanes } = model;
  const all = [...lanes.byThread.keys()];
  const alive = (thread: number) => thread < 0 || thread === first || thread === kept || (threads.begin_ns[thread] <= t1 && threads.end_ns[thread] >= t0);
  const shown = all.length > MANY ? all.filter(alive) : all;
  const process = (thread: number) => (thread < 0 ? model.gpu?.stream_process[-1 - thread] ?? -1 : threads.process[thread]);
  const begin = (thread: number) => (thread < 0 ? -1 : threads.begin_ns[thread]); /* streams above the threads of their process */
  shown.sort((a, b) => Number(b === first) - Number(a === first) || process(a) - process(b) || begin(a) - begin(b) || Math.abs(a) - Math.abs(b));
  let y = 0;
  const tracks = [...(wanted >= MOST_TRACKS ? [wanted] : []), ...model.tracks.slice(0, MOST_TRACKS).keys()].map((track) => {
    const row = { thread: NO_THREAD, track, y, height: trackHeight(model.tracks[track]), levels: 0, all: 0, open: true };
    y += row.height;
    return row;
  });
  return tracks.concat(shown.map((thread) => {
    const all = lanes.byThread.get(thread)?.length ?? 0;
    const isOpen = open.includes(thread);
    const levels = isOpen ? all : Math.min(1, all);
    const height = HEAD + (isOpen ? Math.max(levels * LEVEL, CLOSED) : CLOSED) + 4;
    const row = { thread, track: -1, y, height, levels, all, open: isOpen };
    y += height;
    return row;
  }));
}

/* The lane of a closed thread: the outermost level that has most calls of its first ones, in the whole recording. */
function closedLane(model: Model, thread: number, view: View): Lane | undefined {
  const busy = (model.lanes.byThread.get(thread) ?? []).slice(0, 4).filter(Boolean);
  const lane = busy.reduce<Lane | undefined>((best, lane) => (!best || lane.begin.length + lane.cellBegin.length > (best.begin.length + best.cellBegin.length) * 4 ? lane : best), undefined);
  return lane && view.lanes.lane(thread, lane.depth);
}

class Columns { /* of one lane */
  readonly cover: Float64Array;
  readonly best: Float64Array;
  readonly frame: Int32Array;
  readonly colors: Uint32Array;

  constructor(width: number) {
    this.cover = new Float64Array(width);
    this.best = new Float64Array(width);
    this.frame = new Int32Array(width);
    this.colors = new Uint32Array(width);
  }

  clear(): void {
    this.cover.fill(0);
    this.best.fill(0);
  }

  add(x0: number, x1: number, part: number, frame: number): void {
    const first = Math.max(0, Math.floor(x0));
    const last = Math.min(this.cover.length - 1, Math.floor(x1));
    for (let x = first; x <= last; x++) {
      const cover = Math.max(0, Math.min(x + 1, x1) - Math.max(x, x0)) * part;
      this.cover[x] += cover;
      if (cover >= this.best[x]) {
        this.best[x] = cover;
        this.frame[x] = frame;
      }
    }
  }

  paint(model: Model, surface: Surface, y: number, height: number, states: string[] | null): void {
    let any = false;
    for (let x = 0; x < this.cover.length; x++) {
      if (this.cover[x] <= 0) {
        this.colors[x] = 0;
        continue;
      }
      any = true;
      const alpha = Math.round(255 * Math.min(1, Math.max(0.3, this.cover[x])));
      const [red, green, blue] = states ? parse(states[this.frame[x]]) : rgbOf(model, this.frame[x]);
      this.colors[x] = ((alpha << 24) | (blue << 16) | (green << 8) | red) >>> 0;
    }
    if (any) surface.strip(this.colors, y, height);
  }
}

function parse(color: string): [number, number, number] {
  return [1, 3, 5].map((at) => parseInt(color.slice(at, at + 2), 16)) as [number, number, number];
}

let columns = new Columns(1);

interface Box {
  at: number;
  x0: number;
  x1: number;
}

/* Sums what is narrow into columns, and returns what is wide. */
function gather(lane: Lane, view: View, step: number): Box[] {
  const scale = view.width / (view.t1 - view.t0);
  const wide: Box[] = [];
  columns.clear();
  for (let i = firstAbove(lane.end, view.t0); i < lane.begin.length && lane.begin[i] < view.t1; i++) {
    const x0 = (lane.begin[i] - view.t0) * scale;
    const x1 = (lane.end[i] - view.t0) * scale;
    if (x1 - x0 >= WIDE) wide.push({ at: i, x0: Math.max(x0, -2), x1: Math.min(x1, view.width + 2) });
    else columns.add(x0, Math.max(x1, x0 + 0.05), 1, lane.frame[i]);
  }
  for (let i = firstAbove(lane.cellBegin, view.t0 - step); i < lane.cellBegin.length && lane.cellBegin[i] < view.t1; i++) {
    const x0 = (lane.cellBegin[i] - view.t0) * scale;
    columns.add(x0, x0 + Math.max(step * scale, 0.05), Math.min(1, lane.cover[i] / step), lane.cellFrame[i]);
  }
  return wide;
}

function paintCells(model: Model, surface: Surface, lane: Lane, view: View, y: number): void {
  const scale = view.width / (view.t1 - view.t0);
  const { step } = view.lanes;
  if (step * scale < 70) return;
  for (let i = firstAbove(lane.cellBegin, view.t0 - step); i < lane.cellBegin.length && lane.cellBegin[i] < view.t1; i++) {
    const x = Math.max(0, (lane.cellBegin[i] - view.t0) * scale);
    const label = `${count(lane.cellCalls[i])}\u00d7 ${clean(shortName(model.name(lane.cellFrame[i])))}`;
    surface.text(label, x + 4, y + LEVEL / 2, step * scale - 8, "#222");
  }
}

function paintLane(model: Model, surface: Surface, lane: Lane, view: View, y: number, height: number): void {
  const wide = gather(lane, view, view.lanes.step);
  columns.paint(model, surface, y, height - 1, null);
  for (const { at, x0, x1 } of wide) {
    const frame = lane.frame[at];
    const chosen = view.call?.lane.depth === lane.depth && view.call.lane.thread === lane.thread && view.call.lane.begin[view.call.at] === lane.begin[at];
    const name = clean(shortName(model.name(frame)));
    surface.rect(x0, y, x1 - x0 - 0.6, height - 1, colorOf(model, frame), `${name}: ${time(lane.end[at] - lane.begin[at])}`);
    if (chosen || frame === view.frame) {
      const border = chosen ? themed("focus") : themed("text");
      surface.rect(x0, y + height - 4, x1 - x0 - 0.6, 3, border);
      if (chosen) surface.rect(x0, y, x1 - x0 - 0.6, 3, border);
    }
    if (height >= 14) surface.text(name, Math.max(x0, 0) + 4, y + height / 2, Math.min(x1, view.width) - Math.max(x0, 0) - 8, "#1a1a1a");
    if (lane.flags[at] & CUT_BEGIN) surface.rect(x0, y, 2, height - 1, themed("warn"));
    if (lane.flags[at] & CUT_END) surface.rect(x1 - 2, y, 2, height - 1, themed("warn"));
  }
  if (height >= 14) paintCells(model, surface, lane, view, y);
}

/* Running, waiting, preempted: a thread runs where it has no state. */
function paintStates(model: Model, surface: Surface, thread: number, view: View, y: number): void {
  if (!model.meta.has_switches || thread < 0) return;
  const scale = view.width / (view.t1 - view.t0);
  const x0 = Math.max(0, (model.threads.begin_ns[thread] - view.t0) * scale);
  const x1 = Math.min(view.width, (model.threads.end_ns[thread] - view.t0) * scale);
  if (x1 > x0) surface.rect(x0, y, x1 - x0, STATES, themed("running"));
  const lane = view.lanes.states.get(thread);
  if (!lane) return;
  const colors = [themed("waiting"), themed("preempted")];
  for (const { at, x0: from, x1: to } of gather(lane, view, view.lanes.step)) surface.rect(from, y, to - from, STATES, colors[lane.frame[at]]);
  columns.paint(model, surface, y, STATES, colors);
}

/* Waits for locks, above what the scheduler says. */
function paintWaits(model: Model, surface: Surface, thread: number, view: View, y: number): void {
  const scale = view.width / (view.t1 - view.t0);
  let painted = -1;
  for (const wait of model.locks.within(thread, view.t0, view.t1)) {
    const x0 = Math.max(0, (wait.begin - view.t0) * scale);
    const x1 = Math.min(view.width, Math.max((wait.end - view.t0) * scale, x0 + 1));
    if (x1 <= painted) continue; /* short ones in one column */
    painted = x1;
    surface.rect(x0, y, x1 - x0, STATES, themed(wait === view.wait ? "focus" : "lock"), `${clean(wait.name)}: ${time(wait.end - wait.begin)}`);
  }
}

/* A part of a row, grey; lines: hatched. */
function tint(surface: Surface, row: Row, view: View, y: number, begin: number, end: number, lines: boolean): void {
  const scale = view.width / (view.t1 - view.t0);
  if (end < view.t0 || begin > view.t1) return;
  const x0 = Math.max(0, (begin - view.t0) * scale);
  const x1 = Math.min(view.width, (end - view.t0) * scale);
  surface.rect(x0, y + HEAD, x1 - x0, row.height - HEAD - 4, themed("tint"));
  for (let x = Math.ceil(x0 / 8) * 8; lines && x1 - x0 > 16 && x < x1; x += 8) surface.rect(x, y + HEAD, 1, row.height - HEAD - 4, themed("hatch"));
}

function paintLight(model: Model, surface: Surface, row: Row, view: View, y: number): void {
  const { light_thread, light_begin_ns, light_end_ns } = model.threads;
  for (let i = 0; i < light_thread.length; i++) if (light_thread[i] === row.thread) tint(surface, row, view, y, light_begin_ns[i], light_end_ns[i], true);
}

/* Where boxes may be missing: while some function is recorded in bursts, as far as the thread lives. */
function paintBursts(model: Model, surface: Surface, row: Row, view: View, y: number): void {
  const { burst_begin_ns, burst_end_ns, begin_ns, end_ns } = model.threads;
  for (let i = 0; row.thread >= 0 && i < burst_begin_ns.length; i++) {
    const [begin, end] = [Math.max(burst_begin_ns[i], begin_ns[row.thread]), Math.min(burst_end_ns[i], end_ns[row.thread])];
    if (begin < end) tint(surface, row, view, y, begin, end, false);
  }
}

/* Steps of 1, 2 or 5 that leave about 110 pixels between marks. */
export function axisStep(span: number, width: number): number {
  const least = (span * 110) / Math.max(width, 1);
  const power = 10 ** Math.floor(Math.log10(least));
  return [1, 2, 5, 10].map((factor) => factor * power).find((step) => step >= least) ?? power * 10;
}

function paintAxis(model: Model, surface: Surface, view: View): void {
  const step = axisStep(view.t1 - view.t0, view.width);
  const scale = view.width / (view.t1 - view.t0);
  surface.rect(0, 0, view.width, AXIS, themed("panel"));
  for (let mark = Math.ceil(view.t0 / step) * step; mark < view.t1; mark += step) {
    const x = (mark - view.t0) * scale;
    surface.rect(x, AXIS - 6, 1, view.height, themed("grid"));
    surface.text(mark - model.begin === 0 ? "0" : axisTime(mark, step), x + 4, AXIS / 2, 106, themed("quiet"));
  }
  surface.rect(0, AXIS - 1, view.width, 1, themed("line"));
}

/* As many digits as tell neighbouring marks apart. */
export function axisTime(ns: number, step: number): string {
  const unit = step >= 1e9 ? 1e9 : step >= 1e6 ? 1e6 : step >= 1e3 ? 1e3 : 1;
  const name = { 1e9: "s", 1e6: "ms", 1e3: "us", 1: "ns" }[unit] ?? "ns";
  const value = ns / unit;
  return `${value.toLocaleString("en-US", { maximumFractionDigits: step < unit ? 3 : 0 })} ${name}`;
}

function paintRow(model: Model, surface: Surface, row: Row, view: View): void {
  const y = AXIS + row.y - view.scroll;
  const lanes = view.lanes.byThread.get(row.thread) ?? [];
  surface.rect(0, y, view.width, 1, themed("line"));
  if (row.track >= 0) {
    paintTrack(surface, model.tracks[row.track], view, y + 3, view.item?.track === row.track ? view.item.at : -1);
    return;
  }
  paintStates(model, surface, row.thread, view, y + HEAD - STATES - 1);
  paintWaits(model, surface, row.thread, view, y + HEAD - STATES - 1);
  paintBursts(model, surface, row, view, y);
  if (!row.open) {
    const lane = closedLane(model, row.thread, view);
    if (lane) paintLane(model, surface, lane, view, y + HEAD, CLOSED - 2);
  }
  for (let depth = 0; row.open && depth < row.levels; depth++) {
    const top = y + HEAD + depth * LEVEL;
    if (lanes[depth] && top < view.height && top + LEVEL > AXIS) paintLane(model, surface, lanes[depth], view, top, LEVEL);
  }
  paintLight(model, surface, row, view, y);
}

export interface Launch {
  thread: number; /* -1: not recorded by probes */
  time: number;
}

/* The API call that asked for a work of a GPU; of a thread's call: null. */
export function launchOf(model: Model, call: Call): Launch | null {
  const { gpu } = model;
  const { lane, at } = call;
  if (!gpu || lane.thread >= 0) return null;
  const i = gpu.work_begin_ns.findIndex((begin, row) => begin === lane.begin[at] && gpu.work_stream[row] === -1 - lane.thread);
  return i < 0 ? null : { thread: gpu.launch_thread[i], time: gpu.launch_ns[i] };
}

/* The middle of the innermost call that a thread is in at a time, as far as its levels are shown. */
function levelY(view: View, row: Row, time: number): number {
  let depth = 0;
  while (row.open && depth + 1 < row.levels && view.lanes.callAt(row.thread, depth + 1, time)) depth++;
  return AXIS + row.y + HEAD + (row.open ? depth * LEVEL + LEVEL / 2 : CLOSED / 2) - view.scroll;
}

/* From a moment of one thread to a later one of another: down or up, then along, with a head. */
function paintArrow(surface: Surface, view: View, from: [number, number], to: [number, number], color: string): void {
  const scale = view.width / (view.t1 - view.t0);
  const [x0, x1] = [from[0], to[0]].map((time) => Math.max(-10, Math.min(view.width + 10, (time - view.t0) * scale)));
  const [y0, y1] = [from[1], to[1]];
  surface.rect(x0 - 1, Math.min(y0, y1), 2, Math.abs(y1 - y0), color);
  surface.rect(Math.min(x0, x1), y1 - 1, Math.abs(x1 - x0), 2, color);
  surface.rect(x0 - 3, y0 - 3, 7, 7, color);
  for (let i = 0; i < 5; i++) surface.rect(x1 - 1 - i, y1 - 1 - i, 1, 2 + 2 * i, color);
}

/* From the launch in its thread's row to the work. */
function paintLaunch(model: Model, surface: Surface, view: View): void {
  const launch = view.call ? launchOf(model, view.call) : null;
  const from = launch && view.rows.find((row) => row.thread === launch.thread);
  const to = view.call && view.rows.find((row) => row.thread === view.call?.lane.thread);
  if (!launch || !from || !to || !view.call) return;
  const begin = view.call.lane.begin[view.call.at];
  paintArrow(surface, view, [launch.time, levelY(view, from, launch.time)], [begin, levelY(view, to, begin)], themed("focus"));
}

const MOST_ARROWS = 200;
const ARROW_LEAST = 4; /* pixels of a wait */

/* From the release of a lock to the wake-up of the thread that waited for it; of a lock that is still held: from the holder. */
function paintRelease(surface: Surface, view: View, wait: LockWait, color: string): void {
  const from = view.rows.find((row) => row.thread === wait.holder);
  const to = view.rows.find((row) => row.thread === wait.thread);
  if (!from || !to || wait.holder === wait.thread) return;
  const at = wait.released >= 0 ? wait.released : wait.end;
  paintArrow(surface, view, [at, levelY(view, from, at)], [wait.end, AXIS + to.y + HEAD - STATES / 2 - 1 - view.scroll], color);
}

function paintReleases(model: Model, surface: Surface, view: View): void {
  const scale = view.width / (view.t1 - view.t0);
  const wide = view.rows.flatMap((row) => (row.thread >= 0 ? model.locks.within(row.thread, view.t0, view.t1) : [])).filter((wait) => (wait.end - wait.begin) * scale >= ARROW_LEAST && wait.released >= 0);
  if (wide.length > MOST_ARROWS) wide.sort((a, b) => b.end - b.begin - (a.end - a.begin)).splice(MOST_ARROWS);
  for (const wait of wide) if (wait !== view.wait) paintRelease(surface, view, wait, themed("lock"));
  if (view.wait) paintRelease(surface, view, view.wait, themed("focus"));
}

export function paintTimeline(model: Model, surface: Surface, view: View): void {
  if (columns.cover.length !== Math.ceil(view.width)) columns = new Columns(Math.ceil(view.width));
  paintAxis(model, surface, view);
  for (const row of view.rows)
    if (row.y - view.scroll < view.height && row.y + row.height > view.scroll) paintRow(model, surface, row, view);
  paintLaunch(model, surface, view);
  paintReleases(model, surface, view);
  if (view.range) {
    const scale = view.width / (view.t1 - view.t0);
    const [x0, x1] = view.range.map((at) => Math.max(-1, Math.min(view.width + 1, (at - view.t0) * scale)));
    surface.rect(x0, 0, x1 - x0, view.height, themed("range"));
    surface.rect(x0, 0, 1.5, view.height, themed("focus"));
    surface.rect(x1 - 1.5, 0, 1.5, view.height, themed("focus"));
  }
  surface.rect(0, 0, view.width, AXIS - 1, themed("panel"));
  paintAxis(model, surface, { ...view, height: AXIS });
}

export interface Hit {
  row: Row;
  call: Call | null;
  cell: Call | null; /* index of a cell */
  item?: { track: number; at: number };
  wait?: LockWait;
}

/* What is at a point of the canvas; null: no thread. */
export function hit(model: Model, view: View, x: number, y: number): Hit | null {
  const at = y - AXIS + view.scroll;
  const row = y < AXIS ? undefined : view.rows.find((one) => at >= one.y && at < one.y + one.height);
  if (!row) return null;
  if (row.track >= 0) {
    const found = trackHit(model.tracks[row.track], view, x, at - row.y - 3);
    return { row, call: null, cell: null, item: found < 0 ? undefined : { track: row.track, at: found } };
  }
  const lanes = view.lanes.byThread.get(row.thread) ?? [];
  const depth = Math.floor((at - row.y - HEAD) / LEVEL); /* below 0: the states */
  const lane = row.open ? lanes[depth] : at - row.y >= HEAD ? closedLane(model, row.thread, view) : undefined;
  const each = (view.t1 - view.t0) / view.width;
  const now = view.t0 + x * each;
  const wait = depth < 0 ? model.locks.at(row.thread, now, 2 * each) : null;
  if (wait) return { row, call: null, cell: null, wait };
  if (!lane || depth < 0) return { row, call: null, cell: null };
  let call = view.lanes.callAt(lane.thread, lane.depth, now);
  if (!call) {
    const next = firstAbove(lane.begin, now);
    if (next < lane.begin.length && lane.begin[next] - now < 2 * each) call = { lane, at: next };
    else if (next > 0 && now - lane.end[next - 1] < 2 * each) call = { lane, at: next - 1 };
  }
  const cell = firstAbove(lane.cellBegin, now) - 1;
  const inCell = cell >= 0 && now < lane.cellBegin[cell] + view.lanes.step;
  return { row, call, cell: !call && inCell ? { lane, at: cell } : null };
}
