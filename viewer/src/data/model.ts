/* The recording as the panels see it: columns of the view format, and what follows from them. */
import { CodeColumns, Codes } from "./code";
import { Lanes } from "./lanes";
import { Locks } from "./locks";
import { Old } from "./old";
import { PointColumns, Track, tracksOf } from "./points";
import { Sections } from "./sections";
import { tableOf } from "./tables";
import { ValueColumns, Values } from "./values";

export type Kind = "running" | "waiting" | "elapsed";

export interface Frames {
  name: string[];
  apart: string[]; /* as tables show functions of one name; "": the name */
  module: number[];
  file: number[];
  line: number[];
  loop: boolean[];
  modules: string[];
  files: string[];
}

/* A hardware counter, or a ratio of two: of each function's own part. */
export interface Counter {
  key: string;
  title: string;
  kind: "count" | "ns" | "share" | "mean";
  estimated: boolean;
  values: number[]; /* by row; -1: none */
}

export interface Functions {
  counters?: Counter[]; /* absent: the recording has none */
  frame: number[];
  calls: number[];
  total_ns: number[];
  self_ns: number[];
  running_ns: number[];
  waiting_ns: number[];
  preempted_ns: number[];
  self_running_ns: number[];
  self_waiting_ns: number[];
  self_preempted_ns: number[];
  error_ns: number[];
  avg_ns: number[];
  min_ns: number[];
  max_ns: number[];
  p50_ns: number[];
  p95_ns: number[];
  p99_ns: number[];
  self_share: number[];
  total_share: number[];
  samples: number[];
  calls_estimated: number[];
  total_estimated: number[];
  self_estimated: number[];
  histogram: number[][];
}

export interface TreeColumns {
  parent: number[];
  frame: number[];
  thread?: number[];
  calls: number[];
  total_ns: number[];
  self_ns: number[];
  running_ns: number[];
  waiting_ns: number[];
  self_running_ns: number[];
  self_waiting_ns: number[];
  calls_estimated: number[];
  total_estimated: number[];
  self_estimated: number[];
}

export interface Threads {
  name: string[];
  tid: number[];
  process: number[];
  begin_ns: number[];
  end_ns: number[];
  calls: number[];
  total_ns: number[];
  running_ns: number[];
  waiting_ns: number[];
  preempted_ns: number[];
  lost_events: number[];
  light_thread: number[];
  light_begin_ns: number[];
  light_end_ns: number[];
  burst_begin_ns: number[]; /* some function is recorded in bursts: its calls are not on the timeline */
  burst_end_ns: number[];
}

export interface Processes {
  name: string[];
  program: string[];
  pid: number[];
  parent: number[];
  begin_ns: number[];
  end_ns: number[];
  threads: number[];
  calls: number[];
  total_ns: number[];
  running_ns: number[];
  waiting_ns: number[];
  preempted_ns: number[];
}

export interface Loops {
  function: string[];
  inlined_from: string[];
  file: number[];
  parent: number[];
  level: number[];
  line: number[];
  last_line: number[];
  flags: number[];
  entries: number[];
  empty_entries: number[];
  iterations: number[];
  min_iterations: number[];
  estimated: boolean[]; /* recorded in bursts: entries and iterations are estimates; of times only own running time may be known */
  self_low_ns: number[]; /* bounds of own running time; if exact, they are it */
  self_high_ns: number[];
  avg_iterations: number[];
  max_iterations: number[];
  total_ns: number[];
  self_ns: number[];
  self_running_ns: number[];
  self_waiting_ns: number[];
  ns_per_iteration: number[];
  self_share: number[];
  never_entered: number;
}

export interface Lines {
  file: number[];
  line: number[];
  function: string[];
  self_ns: number[];
  self_waiting_ns: number[];
  outside_ns: number[];
  calls_ns: number[];
  calls: number[];
  count: number[];
  samples: number[];
  self_share: number[];
}

export interface Sources {
  file: number[];
  first: number[];
  changed: number[];
  text: string[];
}

export interface Gpu {
  device?: number[];
  pid: number[];
  device_name: string[];
  device_busy_share: number[];
  device_busy_ns: number[];
  device_idle_ns: number[];
  stream_name: string[];
  stream_process: number[];
  work_stream: number[];
  work_begin_ns: number[];
  launch_thread: number[];
  launch_ns: number[];
  gap_device: number[]; /* the longest times when nothing ran on a device, the longest first */
  gap_begin_ns: number[];
  gap_end_ns: number[];
  gap_thread: number[]; /* that launched the work at its end; -1: not known */
  gap_why: ("host" | "launch" | "queued" | "unknown")[];
}

export interface Slowest {
  frame: number[];
  thread: number[];
  depth: number[];
  begin_ns: number[];
  duration_ns: number[];
}

export interface Meta {
  prof: string;
  command: string;
  directory: string;
  host: string;
  cpu: string;
  recording: string;
  start_realtime_ns: number;
  wall_ns: number;
  events: number;
  file_bytes: number;
  has_switches: boolean;
  time: Kind;
  corrected: boolean;
  filtered: boolean;
  warning: string;
  cover: Record<string, number>;
  left_out: Record<string, number>;
}

/* Of the whole recording or of a part of it. */
export interface Figures {
  functions: Functions;
  tree: TreeColumns;
  threadTree: TreeColumns | null;
  loops: Loops;
  lines: Lines;
  slowest: Slowest;
  rowOf(frame: number): number; /* of `functions`; -1: none */
}

export interface MoreFrames extends Frames {
  first: number;
  first_file: number;
  first_module: number;
}

export interface Calls {
  name: string[];
  count: number[];
  total_ns: number[];
  p50_ns: number[];
  max_ns: number[];
  all: number; /* rows, some of which are left out */
}

export class Model implements Figures {
  readonly meta: Meta;
  readonly frames: Frames;
  readonly functions: Functions;
  readonly tree: TreeColumns;
  readonly threadTree: TreeColumns | null;
  readonly threads: Threads;
  readonly processes: Processes;
  readonly loops: Loops;
  readonly lines: Lines;
  readonly sources: Sources;
  readonly slowest: Slowest;
  readonly old: Old | null; /* that this recording is compared with */
  readonly gpu: Gpu | null;
  readonly gpuTree: TreeColumns | null; /* GPU time by the path that launched it */
  readonly tracks: Track[];
  readonly locks: Locks;
  readonly calls: Calls; /* by their arguments; most time first */
  readonly values: Values; /* of single calls */
  readonly codes = new Codes();
  readonly lanes: Lanes;
  readonly end: number; /* of the timeline, ns */
  readonly begin: number;
  readonly early: boolean; /* the server still reads the recording: there are no figures yet */
  private readonly rows = new Map<number, number>();
  private readonly keys = new Map<string, number>();

  constructor(sections: Sections) {
    this.early = !sections.has("functions");
    this.meta = { ...{ cover: {} }, ...sections.json<Meta>("meta") };
    this.frames = sections.json("frames");
    this.functions = tableOf(sections, "functions");
    this.tree = tableOf(sections, "tree");
    const byThread = sections.json<TreeColumns>("thread_tree");
    this.threadTree = byThread.parent ? byThread : null;
    this.threads = sections.json("threads");
    this.processes = sections.json("processes");
    this.loops = tableOf(sections, "loops");
    this.lines = tableOf(sections, "lines");
    this.sources = { file: [], first: [], changed: [], text: [], ...sections.json<Partial<Sources>>("sources") };
    this.slowest = tableOf(sections, "slowest");
    this.old = Old.of(sections);
    const gpu = sections.json<Gpu>("gpu");
    this.gpu = gpu.device ? gpu : null;
    const launched = sections.json<TreeColumns>("gpu_tree");
    this.gpuTree = launched.parent?.length ? launched : null;
    this.tracks = tracksOf(sections.json<Partial<PointColumns>>("points"));
    this.locks = new Locks(sections);
    this.calls = { name: [], count: [], total_ns: [], p50_ns: [], max_ns: [], all: 0, ...sections.json<Partial<Calls>>("calls") };
    this.values = new Values(sections.json<Partial<ValueColumns>>("values"));
    this.codes.add(sections.json<Partial<CodeColumns>>("code"));
    this.lanes = new Lanes(sections.bytes("lanes"));
    this.functions.frame.forEach((frame, row) => this.rows.set(frame, row));
    let begin = Infinity;
    let end = 0;
    for (const lane of this.lanes.all) {
      if (lane.begin.length) begin = Math.min(begin, lane.begin[0]);
      if (lane.end.length) end = Math.max(end, lane.end[lane.end.length - 1]);
      const cells = lane.cellBegin.length;
      if (cells) begin = Math.min(begin, lane.cellBegin[0]);
      if (cells) end = Math.max(end, lane.cellBegin[cells - 1] + this.lanes.step);
    }
    for (const track of this.tracks) {
      begin = Math.min(begin, track.begin[0]);
      for (const at of track.end) end = Math.max(end, at);
    }
    this.begin = begin === Infinity ? 0 : begin;
    this.end = Math.max(end, this.begin + 1);
    for (let frame = this.frames.name.length - 1; frame >= 0; frame--) this.keys.set(this.keyOf(frame), frame);
  }

  rowOf(frame: number): number {
    return this.rows.get(frame) ?? -1;
  }

  /* Frames, files and modules that came with an answer of the server. */
  addFrames(more: MoreFrames): void {
    const { frames } = this;
    const put = <T>(into: T[], first: number, from: T[]) => from.forEach((value, i) => (into[first + i] = value));
    put(frames.modules, more.first_module, more.modules);
    put(frames.files, more.first_file, more.files);
    put(frames.module, more.first, more.module);
    put(frames.file, more.first, more.file);
    put(frames.line, more.first, more.line);
    put(frames.loop, more.first, more.loop);
    put(frames.apart, more.first, more.apart);
    put(frames.name, more.first, more.name);
    for (let frame = more.first; frame < frames.name.length; frame++) if (!this.keys.has(this.keyOf(frame))) this.keys.set(this.keyOf(frame), frame);
  }

  addSource(more: Sources): void {
    if (this.sources.file.includes(more.file[0])) return;
    this.sources.file.push(...more.file);
    this.sources.first.push(...more.first);
    this.sources.changed.push(...more.changed);
    this.sources.text.push(...more.text);
  }

  /* What names a function in an address: its module's last part and its name. */
  keyOf(frame: number): string {
    if (frame < 0) return "";
    const module = this.frames.modules[this.frames.module[frame]] ?? "";
    return `${module.slice(module.lastIndexOf("/") + 1)}!${this.frames.name[frame]}`;
  }

  frameOf(key: string): number {
    return this.keys.get(key) ?? -1;
  }

  name(frame: number): string {
    return frame < 0 ? "all" : this.frames.apart[frame] || this.frames.name[frame];
  }

  module(frame: number): string {
    const path = frame < 0 ? "" : this.frames.modules[this.frames.module[frame]] ?? "";
    return path.slice(path.lastIndexOf("/") + 1);
  }

  file(number: number): string {
    return this.frames.files[number] ?? "";
  }

  /* Of a stream too, by its number as of streamOf. */
  /* "" where there is one only, or none is meant. */
  processOf(track: Track): string {
    return track.process < 0 || this.processes.name.length === 1 ? "" : `${this.processes.name[track.process]} ${this.processes.pid[track.process]}`;
  }

  threadName(thread: number): string {
    if (thread < 0) return this.gpu?.stream_name[-1 - thread] ?? "GPU";
    const process = this.processes.name[this.threads.process[thread]];
    const name = this.threads.name[thread];
    return `${name === process || this.processes.name.length === 1 ? name : `${process}: ${name}`} ${this.threads.tid[thread]}`;
  }
}

export const SELF = { running: "self_running_ns", waiting: "self_waiting_ns", elapsed: "self_ns" } as const;
export const TOTAL = { running: "running_ns", waiting: "waiting_ns", elapsed: "total_ns" } as const;

/* Self time of that kind of all functions; at least 1. */
export function allSelf(functions: Functions, kind: Kind): number {
  return Math.max(1, functions[SELF[kind]].reduce((sum, ns) => sum + ns, 0));
}
