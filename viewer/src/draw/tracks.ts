/* Tracks of the timeline: intervals as boxes, long ones in another colour; marks as lines; counters and values as graphs. */
import { firstAbove } from "../data/lanes";
import { boundsOf, itemName, lasts, Track } from "../data/points";
import { clean, count, time } from "../text";
import { themed } from "./color";
import { Surface } from "./surface";

const LEVEL = 16; /* pixels */
const GRAPH = 36;
const ROOM = 6;
const USUAL = "#77aadd"; /* light, with dark text, in both themes */
const LONG = "#ee8866"; /* more than twice the median */
const NEAR = 3;
const LABEL = 44; /* a shorter one says nothing */

export interface Span {
  t0: number;
  t1: number;
  width: number;
}

export function trackHeight(track: Track): number {
  return ROOM + (track.kind === "counter" || track.kind === "value" ? GRAPH : track.levels * LEVEL);
}

function isLong(track: Track, at: number): boolean {
  return track.p50 > 0 && track.end[at] - track.begin[at] > 2 * track.p50;
}

/* The first item that may reach into the view. */
function firstIn(track: Track, t0: number): number {
  let at = Math.max(0, firstAbove(track.begin, t0) - 1);
  if (track.levels > 1) at = 0; /* any earlier one may last longer */
  return at;
}

function paintIntervals(surface: Surface, track: Track, view: Span, y: number, chosen: number): void {
  const scale = view.width / (view.t1 - view.t0);
  const narrow = Array.from({ length: track.levels }, () => new Uint8Array(Math.ceil(view.width) + 1)); /* 1: some, 2: a long one */
  for (let at = firstIn(track, view.t0); at < track.begin.length && track.begin[at] < view.t1; at++) {
    if (track.end[at] < view.t0) continue;
    const x0 = Math.max((track.begin[at] - view.t0) * scale, -2);
    const x1 = Math.min((track.end[at] - view.t0) * scale, view.width + 2);
    const long = isLong(track, at);
    if (x1 - x0 < NEAR && at !== chosen) {
      const columns = narrow[track.level[at]];
      for (let x = Math.max(0, Math.floor(x0)); x <= Math.min(x1, view.width - 1); x++) columns[x] = Math.max(columns[x], long ? 2 : 1);
      continue;
    }
    const top = y + track.level[at] * LEVEL;
    const name = clean(itemName(track, at));
    const took = time(track.end[at] - track.begin[at]);
    surface.rect(x0, top, Math.max(x1 - x0 - 1, 2), LEVEL - 2, long ? LONG : USUAL, `${name}: ${took}`);
    if (at === chosen) surface.rect(x0, top + LEVEL - 4, Math.max(x1 - x0 - 1, 2), 3, themed("focus"));
    const room = Math.min(x1, view.width) - Math.max(x0, 0) - 8;
    if (room > LABEL) surface.text(track.kind === "frame" ? took : `${name}  ${took}`, Math.max(x0, 0) + 4, top + LEVEL / 2 - 1, room, "#1a1a1a");
  }
  narrow.forEach((columns, level) => {
    for (let x = 0; x < columns.length; ) {
      let end = x + 1;
      while (end < columns.length && columns[end] === columns[x]) end++;
      if (columns[x]) surface.rect(x, y + level * LEVEL, end - x, LEVEL - 2, columns[x] === 2 ? LONG : USUAL);
      x = end;
    }
  });
}

function paintMarks(surface: Surface, track: Track, view: Span, y: number, chosen: number): void {
  const scale = view.width / (view.t1 - view.t0);
  let last = -Infinity;
  for (let at = firstAbove(track.begin, view.t0 - 1e-9); at < track.begin.length && track.begin[at] < view.t1; at++) {
    const x = (track.begin[at] - view.t0) * scale;
    if (x - last < 1 && at !== chosen) continue;
    last = x;
    surface.rect(x - 1, y, at === chosen ? 3 : 2, LEVEL - 2, at === chosen ? themed("focus") : themed("accent"), clean(itemName(track, at)));
    const next = at + 1 < track.begin.length ? (track.begin[at + 1] - view.t0) * scale : view.width;
    surface.text(clean(itemName(track, at)), x + 4, y + LEVEL / 2 - 1, Math.min(next, view.width) - x - 8, themed("text"));
  }
}

/* A value holds until the next one; those of calls stand alone. */
function paintGraph(surface: Surface, track: Track, view: Span, y: number, chosen: number): void {
  const scale = view.width / (view.t1 - view.t0);
  const [low, high] = boundsOf(track);
  const of = (value: number) => y + GRAPH - 2 - ((value - low) / Math.max(high - low, 1e-300)) * (GRAPH - 4);
  const holds = track.kind === "counter";
  let drawn = -1;
  for (let at = Math.max(0, firstAbove(track.begin, view.t0) - 1); at < track.begin.length && track.begin[at] < view.t1; at++) {
    const value = track.value[at];
    const x0 = Math.max(0, (track.begin[at] - view.t0) * scale);
    const next = at + 1 < track.begin.length ? (track.begin[at + 1] - view.t0) * scale : view.width;
    const x1 = Math.min(view.width, holds ? next : x0 + 2);
    if (!Number.isFinite(value) || (x1 - x0 < 0.25 && x1 < drawn)) continue;
    const [top, bottom] = [Math.min(of(value), of(0)), Math.max(of(value), of(0))];
    const wide = Math.max(x1 - x0, 1);
    surface.rect(x0, top, wide, Math.max(bottom - top, 1), themed("graph"), `${value} ${clean(track.unit)}`);
    surface.rect(x0, of(value) - 1, wide, 2, at === chosen ? themed("focus") : themed("running"));
    drawn = x0 + 0.25;
  }
  surface.rect(0, of(0), view.width, 1, themed("line"));
  surface.text(count(high) === "0" ? String(high) : `${high.toLocaleString("en-US", { maximumSignificantDigits: 4 })} ${clean(track.unit)}`, 4, y + 8, 160, themed("quiet"));
}

export function paintTrack(surface: Surface, track: Track, view: Span, y: number, chosen: number): void {
  if (lasts(track)) paintIntervals(surface, track, view, y, chosen);
  else if (track.kind === "mark") paintMarks(surface, track, view, y, chosen);
  else paintGraph(surface, track, view, y, chosen);
}

/* The item at a point of its row; -1: none. */
export function trackHit(track: Track, view: Span, x: number, y: number): number {
  const each = (view.t1 - view.t0) / view.width;
  const now = view.t0 + x * each;
  if (!lasts(track)) {
    const next = firstAbove(track.begin, now);
    if (track.kind === "counter") return next - 1;
    const near = [next - 1, next].filter((at) => at >= 0 && at < track.begin.length);
    near.sort((a, b) => Math.abs(track.begin[a] - now) - Math.abs(track.begin[b] - now));
    return near.length && Math.abs(track.begin[near[0]] - now) <= (track.kind === "mark" ? 60 : NEAR) * each && (track.begin[near[0]] <= now || Math.abs(track.begin[near[0]] - now) <= NEAR * each) ? near[0] : -1;
  }
  const level = Math.floor(y / LEVEL);
  let best = -1;
  for (let at = firstIn(track, view.t0); at < track.begin.length && track.begin[at] <= now + NEAR * each; at++) {
    const away = Math.max(track.begin[at] - now, now - track.end[at], 0);
    if (track.level[at] === level && away <= NEAR * each && (best < 0 || away === 0 || track.end[at] - track.begin[at] > track.end[best] - track.begin[best])) best = at;
  }
  return best;
}
