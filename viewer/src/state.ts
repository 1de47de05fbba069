/* What is selected and shown.  It is kept in the address behind '#', so that a link shows the same. */
import { Call, Lanes } from "./data/lanes";
import { changeTree } from "./data/change";
import { Figures, Kind, Model, TreeColumns } from "./data/model";
import { Old } from "./data/old";
import { itemAt, lasts, Track } from "./data/points";
import { LockWait } from "./data/locks";
import { rangeTree } from "./data/range_tree";
import { Ranged } from "./data/ranged";
import { isStale, Progress, Server } from "./data/server";
import { Tiles } from "./data/tiles";
import { callTree, Node } from "./data/trees";
import { ValueAsker } from "./data/value_asker";
import type { Order } from "./parts/table";

export type Panel = "overview" | "timeline" | "flame" | "tree" | "functions" | "source" | "threads";
export const PANELS: { id: Panel; title: string }[] = [
  { id: "overview", title: "Overview" },
  { id: "timeline", title: "Timeline" },
  { id: "flame", title: "Flamegraph" },
  { id: "tree", title: "Call tree" },
  { id: "functions", title: "Functions" },
  { id: "source", title: "Source" },
  { id: "threads", title: "Threads" },
];

export interface CallRef {
  thread: number;
  depth: number;
  begin: number;
  frame: number;
}

export interface ItemRef {
  track: number;
  begin: number;
}

export interface WaitRef {
  thread: number;
  begin: number;
}

export interface State {
  panel: Panel;
  frame: number; /* the function selected everywhere; -1: none */
  kind: Kind;
  t0: number; /* the part of the timeline in view, ns */
  t1: number;
  range: [number, number] | null;
  call: CallRef | null;
  item: ItemRef | null; /* of a track */
  wait: WaitRef | null; /* for a lock */
  thread: number; /* of the flamegraph; -1: all */
  reverse: boolean;
  gpu: boolean; /* the flamegraph is of GPU time */
  compare: boolean; /* what changed since the other recording, if there is one */
  path: number[]; /* frames that the flamegraph is zoomed to */
  file: number;
  line: number;
  code: boolean; /* instructions beside the source */
  open: number[]; /* threads whose levels are shown */
  orders: Partial<Record<Ordered, Order>>; /* of tables; absent: the table's own */
}

export interface SlowCall {
  ref: CallRef;
  duration: number; /* without waits for the recorder; of a range: in it */
  end: number;
}

const ORDERED = ["functions", "changes", "processes", "threads"] as const;
export type Ordered = (typeof ORDERED)[number]; /* tables whose order the address keeps */

const RANGE_DELAY = 150; /* ms */

export class Store {
  state: State;
  start: State;
  model: Model;
  fault = ""; /* why the server does not answer */
  progress: Progress | null = null; /* of a live recording */
  paused = false;
  values!: ValueAsker; /* of calls; of the model */
  private tiles: Tiles | null = null;
  private listeners: (() => void)[] = [];
  private moving = 0; /* timer */
  private asking = 0; /* timer: figures of a range */
  private answering: AbortController | null = null; /* of the range that is asked for */
  private ranged: { of: string; figures: Ranged | null } = { of: "", figures: null }; /* asked for; null: not answered yet */
  private asked = new Set<number>(); /* files */
  private codes = new Map<number, string>(); /* functions whose instructions were asked for, and why there are none */

  /* server: null if the page is a file. */
  constructor(model: Model, readonly server: Server | null = null) {
    this.model = model;
    this.start = this.startOf(model);
    this.state = { ...this.start, ...this.read(location.hash) };
    this.beginReading();
    window.addEventListener("popstate", () => this.reread());
    window.addEventListener("hashchange", () => this.reread());
  }

  private startOf(model: Model): State {
    const kind = model.meta.has_switches ? model.meta.time : "elapsed";
    return {
      panel: "overview",
      frame: -1,
      kind,
      t0: model.begin,
      t1: model.end,
      range: null,
      call: null,
      item: null,
      wait: null,
      thread: -1,
      reverse: false,
      gpu: false,
      compare: model.old !== null,
      path: [],
      file: -1,
      line: 0,
      code: false,
      open: model.threads.name.length <= 8 ? [...model.lanes.byThread.keys()] : [...model.lanes.byThread.keys()].filter((thread) => thread < 0),
      orders: {},
    };
  }

  private beginReading(): void {
    const { model, server } = this;
    const changed = () => this.model === model && this.tell();
    this.tiles = server && new Tiles(model, server, changed, (fault) => this.fail(fault));
    this.values = new ValueAsker(model, server, changed, (fault) => this.model === model && this.fail(fault));
    this.ranged = { of: "", figures: null };
    this.asked.clear();
    this.codes.clear();
    this.askRange();
  }

  private reread(): void {
    this.state = { ...this.start, ...this.read(location.hash) };
    this.askRange();
    this.tell();
  }

  /* A live recording has grown: what is shown stays, by names and times; who looks at all of it sees the new part too. */
  replace(model: Model): void {
    const { t0, t1 } = this.state;
    const all = t0 === this.start.t0 && t1 === this.start.t1;
    const address = this.address();
    const looked = this.model.early && (!all || this.state.call !== null || this.state.range !== null);
    this.model = model;
    this.start = this.startOf(model);
    this.state = { ...this.start, ...this.read(address) };
    if (looked && this.state.panel === "overview") this.state.panel = "timeline"; /* the early overview is one */
    if (!all) Object.assign(this.state, { t0, t1 });
    this.beginReading();
    this.tell();
  }

  setProgress(progress: Progress): void {
    this.progress = progress;
    this.tell();
  }

  fail(fault: unknown): void {
    this.fault = fault instanceof Error ? fault.message : String(fault);
    this.tell();
  }

  /* ---- what a server knows better ---- */

  /* The calls of a part of the timeline, as fine as they are at hand. */
  lanes(t0: number, t1: number): Lanes {
    return this.tiles ? this.tiles.best(t0, t1) : this.model.lanes;
  }

  /* This part is in view, in so many pixels. */
  look(t0: number, t1: number, width: number): void {
    this.tiles?.look(t0, t1, width);
  }

  private rangeKey(): string {
    return this.state.range ? this.state.range.map(Math.round).join("-") : "";
  }

  /* Asks for the figures of the selected range, when it has not changed for a moment. */
  private askRange(): void {
    const of = this.rangeKey();
    if (!this.server || of === this.ranged.of) return;
    this.ranged = { of, figures: null };
    this.answering?.abort();
    window.clearTimeout(this.asking);
    this.asking = window.setTimeout(() => void this.takeRange(), RANGE_DELAY);
  }

  /* The server may need seconds: the next range ends the wait for this one. */
  private async takeRange(): Promise<void> {
    const { server, model, ranged } = this;
    const [t0, t1] = (this.state.range ?? [0, 0]).map(Math.round);
    if (!server || t0 >= t1) return;
    const answering = (this.answering = new AbortController());
    try {
      ranged.figures = new Ranged(await server.range(model, Math.max(t0, 0), t1, answering.signal));
      if (this.ranged === ranged) this.tell();
    } catch (fault) {
      if (!isStale(fault)) this.fail(fault);
    }
  }

  /* Exact figures of the selected range; null: no range, a file, or no answer yet. */
  exact(): Ranged | null {
    return this.state.range && this.ranged.of === this.rangeKey() ? this.ranged.figures : null;
  }

  /* Of the range if they are exact, else of the whole recording. */
  figures(): Figures {
    return this.exact() ?? this.model;
  }

  /* Asks for the text of a file that the page lacks; once. */
  wantSource(file: number): void {
    const { server, model } = this;
    if (!server || file < 0 || this.asked.has(file) || model.sources.file.includes(file)) return;
    this.asked.add(file);
    server
      .source(model, file)
      .then((sections) => {
        model.addSource(sections.json("sources"));
        if (this.model === model) this.tell();
      })
      .catch(() => this.model === model && this.tell()); /* not found: the page says so */
  }

  /* Asks for the instructions of a function; once. */
  wantCode(frame: number): void {
    const { server, model } = this;
    if (!server || frame < 0 || this.codes.has(frame) || model.codes.get(frame)) return;
    this.codes.set(frame, "");
    server
      .code(model, frame)
      .then((sections) => model.codes.add(sections.json("code")))
      .catch((fault) => !isStale(fault) && this.model === model && this.codes.set(frame, fault instanceof Error ? fault.message : String(fault)))
      .finally(() => this.model === model && this.tell());
  }

  codeFault(frame: number): string {
    return this.codes.get(frame) ?? "";
  }

  /* The kind of time of figures that are shown. */
  kindShown(): Kind {
    return this.state.range && !this.exact() ? "elapsed" : this.state.kind;
  }

  subscribe(listener: () => void): void {
    this.listeners.push(listener);
  }

  private tell(): void {
    for (const listener of this.listeners) listener();
  }

  /* A step that Back undoes. */
  set(change: Partial<State>): void {
    const other = change.call || change.item ? { wait: null } : {}; /* one thing is selected on the timeline */
    this.state = { ...this.state, ...other, ...change };
    history.pushState(null, "", this.address());
    this.askRange();
    this.tell();
  }

  /* One of many small steps: panning, zooming. */
  move(change: Partial<State>): void {
    this.state = { ...this.state, ...change };
    window.clearTimeout(this.moving);
    this.moving = window.setTimeout(() => history.replaceState(null, "", this.address()), 250);
    this.askRange();
    this.tell();
  }

  private address(): string {
    const { state, start, model } = this;
    const parts: string[] = [`p=${state.panel}`];
    const add = (key: string, value: string) => parts.push(`${key}=${encodeURIComponent(value)}`);
    if (state.frame >= 0) add("f", model.keyOf(state.frame));
    if (state.kind !== start.kind) add("k", state.kind);
    if (state.t0 !== start.t0 || state.t1 !== start.t1) add("t", `${Math.round(state.t0)}-${Math.round(state.t1)}`);
    if (state.range) add("r", state.range.map(Math.round).join("-"));
    if (state.call) add("c", [state.call.thread, state.call.depth, state.call.begin].join("."));
    if (state.item) add("m", [state.item.track, state.item.begin].join("."));
    if (state.wait) add("w", [state.wait.thread, state.wait.begin].join("."));
    if (state.thread >= 0) add("h", String(state.thread));
    if (state.reverse) add("v", "1");
    if (state.gpu) add("g", "1");
    if (state.compare !== start.compare) add("b", state.compare ? "1" : "0");
    if (state.path.length) add("z", state.path.map((frame) => model.keyOf(frame)).join("\n"));
    if (state.file >= 0) add("s", `${model.file(state.file)}:${state.line}`);
    if (state.code) add("i", "1");
    if (state.open !== start.open) add("o", state.open.join("."));
    const orders = Object.entries(state.orders).map(([table, order]) => `${table}.${order.key}${order.rising ? ".up" : ""}`);
    if (orders.length) add("q", orders.join(","));
    return `#${parts.join("&")}`;
  }

  private read(address: string): Partial<State> {
    const out: Partial<State> = {};
    const words = new URLSearchParams(address.slice(1));
    const pair = (text: string | null) => (/^\d+-\d+$/.test(text ?? "") ? ((text ?? "").split("-").map(Number) as [number, number]) : null);
    const panel = PANELS.find((known) => known.id === words.get("p"));
    if (panel) out.panel = panel.id;
    const key = words.get("f");
    if (key !== null) out.frame = this.model.frameOf(key);
    const kind = words.get("k");
    if (kind === "running" || kind === "waiting" || kind === "elapsed") out.kind = kind;
    const view = pair(words.get("t"));
    if (view && view[1] > view[0]) [out.t0, out.t1] = view;
    out.range = pair(words.get("r"));
    const call = (words.get("c") ?? "").split(".").map(Number);
    if (call.length === 3 && call.every(Number.isInteger)) {
      const found = this.model.lanes.callBegins(call[0], call[1], call[2], -1);
      if (found || this.server) out.call = { thread: call[0], depth: call[1], begin: call[2], frame: found ? found.lane.frame[found.at] : -1 };
    }
    const item = (words.get("m") ?? "").split(".").map(Number);
    if (item.length === 2 && itemAt(this.model.tracks[item[0]], item[1]) >= 0) out.item = { track: item[0], begin: item[1] };
    const wait = (words.get("w") ?? "").split(".").map(Number);
    if (wait.length === 2 && this.model.locks.begins(wait[0], wait[1])) out.wait = { thread: wait[0], begin: wait[1] };
    const thread = words.get("h");
    if (thread !== null && this.model.threads.name[Number(thread)] !== undefined) out.thread = Number(thread);
    if (words.get("v")) out.reverse = true;
    if (words.get("g")) out.gpu = this.model.gpuTree !== null;
    if (words.get("b")) out.compare = words.get("b") === "1" && this.model.old !== null;
    const path = words.get("z");
    if (path) out.path = path.split("\n").map((name) => this.model.frameOf(name));
    const source = /^(.*):(\d+)$/.exec(words.get("s") ?? "");
    if (source) {
      out.file = this.model.frames.files.indexOf(source[1]);
      out.line = Number(source[2]);
    }
    if (words.get("i")) out.code = true;
    const open = words.get("o");
    if (open !== null) out.open = open.split(".").filter(Boolean).map(Number);
    const orders = (words.get("q") ?? "").split(",").map((order) => order.split("."));
    if (words.has("q")) out.orders = Object.fromEntries(orders.filter(([table]) => ORDERED.some((known) => known === table)).map(([table, key, up]) => [table, { key: key ?? "", rising: up === "up" }]));
    return out;
  }

  /* The call tree that panels show: of the range, if one is selected, else of the whole recording. */
  private known: { of: string; from: Figures; tree: Node } | null = null;
  tree(): Node {
    const { kind, thread, range } = this.state;
    const approximate = range && !this.exact();
    const from = this.figures();
    const of = `${thread} ${kind} ${range ? range.join("-") : ""}`;
    if (this.known?.of !== of || this.known.from !== from)
      this.known = { of, from, tree: range && approximate ? rangeTree(this.model, range, thread) : callTree(from, kind, thread) };
    return this.known.tree;
  }

  /* The other recording, if figures are shown beside its own. */
  compared(): Old | null {
    return this.state.compare ? this.model.old : null;
  }

  /* The kind of time that both recordings know. */
  kindCompared(): Kind {
    return this.model.meta.has_switches && this.model.old?.facts.has_switches ? this.state.kind : "elapsed";
  }

  /* What changed, as a tree of call paths: of all threads and the whole time; null: something else is selected. */
  private changed: { of: string; from: Model; tree: Node } | null = null;
  changes(): Node | null {
    const old = this.compared();
    const { thread, range, reverse } = this.state;
    if (!old || thread >= 0 || range || this.state.gpu) return null;
    const of = `${this.kindCompared()} ${reverse}`;
    if (this.changed?.of !== of || this.changed.from !== this.model) this.changed = { of, from: this.model, tree: changeTree(this.model, old, this.kindCompared(), reverse) };
    return this.changed.tree;
  }

  /* GPU time by the path that launched it, of the whole recording. */
  private launched: { of: TreeColumns; tree: Node } | null = null;
  launches(): Node | null {
    const of = this.state.gpu ? this.model.gpuTree : null;
    if (of && this.launched?.of !== of) this.launched = { of, tree: callTree({ tree: of, threadTree: null }, "elapsed", -1) };
    return of ? this.launched?.tree ?? null : null;
  }

  /* A selected call, in the lanes where it stands by itself. */
  callOf(ref: CallRef | null): Call | null {
    if (!ref) return null;
    const near = this.lanes(ref.begin, ref.begin + 1).callBegins(ref.thread, ref.depth, ref.begin, ref.frame);
    return near ?? this.lanes(this.state.t0, this.state.t1).callBegins(ref.thread, ref.depth, ref.begin, ref.frame) ?? this.model.lanes.callBegins(ref.thread, ref.depth, ref.begin, ref.frame);
  }

  /* A selected item of a track, if it is there. */
  itemOf(ref: ItemRef | null): { track: Track; at: number } | null {
    const track = ref ? this.model.tracks[ref.track] : undefined;
    const at = ref ? itemAt(track, ref.begin) : -1;
    return track && at >= 0 ? { track, at } : null;
  }

  /* The selected wait for a lock. */
  waitOf(ref: WaitRef | null): LockWait | null {
    return ref ? this.model.locks.begins(ref.thread, ref.begin) : null;
  }

  /* The longest calls of a function, the longest first: of the selected range, if its figures are exact. */
  slowCalls(frame: number): SlowCall[] {
    const { slowest } = this.figures();
    const rows = slowest.frame.map((_, i) => i).filter((i) => slowest.frame[i] === frame);
    return rows.map((i) => {
      const [thread, depth, from, duration] = [slowest.thread[i], slowest.depth[i], slowest.begin_ns[i], slowest.duration_ns[i]];
      const { lanes } = this.model;
      const within = lanes.callAt(thread, depth, from + duration / 2); /* the range may cut it */
      const call = lanes.callBegins(thread, depth, from, frame) ?? (within && within.lane.frame[within.at] === frame ? within : null);
      const begin = call ? call.lane.begin[call.at] : from;
      return { ref: { thread, depth, begin, frame }, duration, end: call ? call.lane.end[call.at] : from + duration };
    });
  }

  /* The innermost call that a thread is in at a time. */
  innermost(thread: number, at: number): Call | null {
    const lanes = this.lanes(at, at + 1);
    let found: Call | null = null;
    for (let depth = 0; depth < (lanes.byThread.get(thread)?.length ?? 0); depth++) found = lanes.callAt(thread, depth, at) ?? found;
    return found;
  }

  /* ---- steps that several panels take ---- */

  /* For a table whose order the address keeps. */
  ordered(table: Ordered): { order: Order | undefined; reorder: (order: Order) => void } {
    return { order: this.state.orders[table], reorder: (order) => this.set({ orders: { ...this.state.orders, [table]: order } }) };
  }

  showFunction(frame: number): void {
    this.set({ panel: "functions", frame });
  }

  showSource(file: number, line: number): void {
    this.set({ panel: "source", file, line });
  }

  /* The instructions of a function, beside its source. */
  showCode(frame: number): void {
    this.set({ panel: "source", frame, file: this.model.frames.file[frame], line: 0, code: true });
  }

  showSourceOf(frame: number): void {
    this.set({ panel: "source", frame, file: this.model.frames.file[frame], line: this.model.frames.line[frame] });
  }

  showCall(call: CallRef, end: number): void {
    const room = Math.max((end - call.begin) * 0.15, 50);
    const open = this.state.open.includes(call.thread) ? this.state.open : [...this.state.open, call.thread];
    this.set({ panel: "timeline", frame: call.frame, call, item: null, t0: call.begin - room, t1: end + room, open });
  }

  /* Selects an item; zoom: its part of the timeline comes into view.  One that lasts is the range too. */
  showItem(ref: ItemRef, zoom: boolean): void {
    const found = this.itemOf(ref);
    if (!found) return;
    const { track, at } = found;
    const [begin, end] = [track.begin[at], track.end[at]];
    const room = Math.max((end - begin) * 0.15, 50);
    const thread = track.threads[at];
    const open = thread < 0 || this.state.open.includes(thread) ? this.state.open : [thread, ...this.state.open];
    const range: [number, number] | null = lasts(track) && end > begin ? [begin, end] : null;
    this.set({ panel: "timeline", item: ref, call: null, range, open, ...(zoom ? { t0: begin - room, t1: end + room } : {}) });
  }

  /* Its thread and the holder's come first. */
  showWait(wait: LockWait, zoom: boolean): void {
    const { thread, begin, end, holder } = wait;
    const from = wait.released >= 0 ? Math.min(begin, wait.released) : begin;
    const room = Math.max((end - from) * 0.3, 50);
    const open = [thread, holder].filter((one) => one >= 0 && !this.state.open.includes(one)).concat(this.state.open);
    this.set({ panel: "timeline", wait: { thread, begin }, call: null, item: null, open, thread: this.state.thread < 0 ? -1 : thread, ...(zoom ? { t0: from - room, t1: end + room } : {}) });
  }

  showThread(thread: number): void {
    const threads = this.model.threads;
    const room = Math.max((threads.end_ns[thread] - threads.begin_ns[thread]) * 0.02, 50);
    this.set({
      panel: "timeline",
      t0: threads.begin_ns[thread] - room,
      t1: threads.end_ns[thread] + room,
      call: null,
      item: null,
      wait: null,
      open: [thread, ...this.state.open.filter((other) => other !== thread)],
      thread,
    });
  }
}
