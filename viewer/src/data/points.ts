/* What the program reports of itself in time: tracks of frames, requests, spans, marks, counters and values. */
import { firstAbove } from "./lanes";

export type TrackKind = "frame" | "request" | "span" | "mark" | "counter" | "value";

export interface PointColumns {
  track_kind: TrackKind[];
  track_name: string[];
  track_unit: string[];
  track_process: number[]; /* -1: any */
  track_thread: number[]; /* -1: any */
  track_all: number[]; /* items before some were left out */
  track_total_ns: number[];
  track_p50_ns: number[];
  track_p99_ns: number[];
  track_max_ns: number[];
  track_items: number[]; /* of each track, one after another in the following */
  begin_ns: number[];
  duration_ns: number[];
  id: string[]; /* of requests and spans */
  value: (number | null)[]; /* of counters and values; null: no number */
  name: number[]; /* of marks, in `names` */
  thread: number[]; /* -1: several */
  count: number[]; /* items that it stands for */
  names: string[];
}

export interface Track {
  kind: TrackKind;
  name: string;
  unit: string;
  process: number;
  thread: number;
  all: number;
  total: number; /* ns of all durations, with their percentiles */
  p50: number;
  p99: number;
  max: number;
  begin: Float64Array;
  end: Float64Array;
  id: string[];
  value: Float64Array;
  names: string[]; /* of each mark */
  threads: number[];
  count: number[];
  level: Uint8Array; /* of intervals that overlap; the last one has those that don't fit */
  levels: number;
}

export const MOST_LEVELS = 6;
const LASTING: TrackKind[] = ["frame", "request", "span"];

export function lasts(track: Track): boolean {
  return LASTING.includes(track.kind);
}

/* Intervals that overlap get levels of their own, as far as there are some. */
function level(track: Track): void {
  const ends: number[] = [];
  track.begin.forEach((begin, i) => {
    let at = ends.findIndex((end) => end <= begin);
    if (at < 0) at = Math.min(ends.length, MOST_LEVELS - 1);
    ends[at] = Math.max(track.end[i], ends[at] ?? 0);
    track.level[i] = at;
  });
  track.levels = Math.max(1, ends.length);
}

export function tracksOf(columns: Partial<PointColumns>): Track[] {
  if (!columns.track_kind) return [];
  const all = columns as PointColumns;
  let from = 0;
  return all.track_kind.map((kind, i) => {
    const to = from + all.track_items[i];
    const part = <T>(column: T[]) => column.slice(from, to);
    const begin = Float64Array.from(part(all.begin_ns));
    const track: Track = {
      kind,
      name: all.track_name[i],
      unit: all.track_unit[i],
      process: all.track_process[i],
      thread: all.track_thread[i],
      all: all.track_all[i],
      total: all.track_total_ns[i],
      p50: all.track_p50_ns[i],
      p99: all.track_p99_ns[i],
      max: all.track_max_ns[i],
      begin,
      end: Float64Array.from(part(all.duration_ns), (duration, at) => begin[at] + duration),
      id: part(all.id),
      value: Float64Array.from(part(all.value), (value) => value ?? NaN),
      names: kind === "mark" ? part(all.name).map((name) => all.names[name]) : [],
      threads: part(all.thread),
      count: part(all.count),
      level: new Uint8Array(begin.length),
      levels: 1,
    };
    from = to;
    if (lasts(track)) level(track);
    return track;
  });
}

/* The longest items, the longest first. */
export function longestOf(track: Track, most: number): number[] {
  return [...track.begin.keys()].sort((a, b) => track.end[b] - track.begin[b] - track.end[a] + track.begin[a] || a - b).slice(0, most);
}

/* The item that begins exactly there; -1: none. */
export function itemAt(track: Track | undefined, begin: number): number {
  const at = track ? firstAbove(track.begin, begin) - 1 : -1;
  return track && at >= 0 && track.begin[at] === begin ? at : -1;
}

/* "game", "queued 7", "request 7", "the level begins". */
export function itemName(track: Track, at: number): string {
  if (track.kind === "mark") return track.names[at];
  if (track.kind === "request") return `request ${track.id[at]}`;
  return track.kind === "span" ? `${track.name} ${track.id[at]}` : track.name;
}

/* "frames game", "requests", "marks", "queue, items", "machine: CPU, cores". */
export function trackName(track: Track): string {
  if (track.kind === "frame") return `frames ${track.name}`;
  if (track.kind === "span") return `spans ${track.name}`;
  if (track.kind === "request" || track.kind === "mark") return `${track.kind}s`;
  const name = track.unit ? `${track.name}, ${track.unit}` : track.name;
  return track.process < 0 ? `machine: ${name}` : name;
}

/* The least and the largest number, with 0. */
export function boundsOf(track: Track): [number, number] {
  let [low, high] = [0, 0];
  for (const value of track.value) {
    if (value < low) low = value;
    if (value > high) high = value;
  }
  return [low, high];
}
