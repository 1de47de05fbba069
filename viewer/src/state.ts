/* What is selected and shown.  It is kept in the address behind '#', so that a link shows the same. */
import { Kind, Model } from "./data/model";
import { rangeTree } from "./data/range_tree";
import { callTree, Node } from "./data/trees";

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

export interface State {
  panel: Panel;
  frame: number; /* the function selected everywhere; -1: none */
  kind: Kind;
  t0: number; /* the part of the timeline in view, ns */
  t1: number;
  range: [number, number] | null;
  call: CallRef | null;
  thread: number; /* of the flamegraph; -1: all */
  reverse: boolean;
  path: number[]; /* frames that the flamegraph is zoomed to */
  file: number;
  line: number;
  open: number[]; /* threads whose levels are shown */
}

export class Store {
  state: State;
  readonly start: State;
  private listeners: (() => void)[] = [];
  private moving = 0; /* timer */

  constructor(readonly model: Model) {
    const kind = model.meta.has_switches ? model.meta.time : "elapsed";
    this.start = {
      panel: "overview",
      frame: -1,
      kind,
      t0: model.begin,
      t1: model.end,
      range: null,
      call: null,
      thread: -1,
      reverse: false,
      path: [],
      file: -1,
      line: 0,
      open: model.threads.name.length <= 8 ? [...model.lanes.byThread.keys()] : [...model.lanes.byThread.keys()].filter((thread) => thread < 0),
    };
    this.state = { ...this.start, ...this.read() };
    window.addEventListener("popstate", () => this.reread());
    window.addEventListener("hashchange", () => this.reread());
  }

  private reread(): void {
    this.state = { ...this.start, ...this.read() };
    this.tell();
  }

  subscribe(listener: () => void): void {
    this.listeners.push(listener);
  }

  private tell(): void {
    for (const listener of this.listeners) listener();
  }

  /* A step that Back undoes. */
  set(change: Partial<State>): void {
    this.state = { ...this.state, ...change };
    history.pushState(null, "", this.address());
    this.tell();
  }

  /* One of many small steps: panning, zooming. */
  move(change: Partial<State>): void {
    this.state = { ...this.state, ...change };
    window.clearTimeout(this.moving);
    this.moving = window.setTimeout(() => history.replaceState(null, "", this.address()), 250);
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
    if (state.thread >= 0) add("h", String(state.thread));
    if (state.reverse) add("v", "1");
    if (state.file >= 0) add("s", `${model.file(state.file)}:${state.line}`);
    if (state.open !== start.open) add("o", state.open.join("."));
    return `#${parts.join("&")}`;
  }

  private read(): Partial<State> {
    const out: Partial<State> = {};
    const words = new URLSearchParams(location.hash.slice(1));
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
      if (found) out.call = { thread: call[0], depth: call[1], begin: call[2], frame: found.lane.frame[found.at] };
    }
    const thread = words.get("h");
    if (thread !== null && this.model.threads.name[Number(thread)] !== undefined) out.thread = Number(thread);
    if (words.get("v")) out.reverse = true;
    const source = /^(.*):(\d+)$/.exec(words.get("s") ?? "");
    if (source) {
      out.file = this.model.frames.files.indexOf(source[1]);
      out.line = Number(source[2]);
    }
    const open = words.get("o");
    if (open !== null) out.open = open.split(".").filter(Boolean).map(Number);
    return out;
  }

  /* The call tree that panels show: of the range, if one is selected, else of the whole recording. */
  private known: { of: string; tree: Node } | null = null;
  tree(): Node {
    const { kind, thread, range } = this.state;
    const of = `${thread} ${range ? range.join("-") : kind}`;
    if (this.known?.of !== of) this.known = { of, tree: range ? rangeTree(this.model, range, thread) : callTree(this.model, kind, thread) };
    return this.known.tree;
  }

  /* ---- steps that several panels take ---- */

  showFunction(frame: number): void {
    this.set({ panel: "functions", frame });
  }

  showSource(file: number, line: number): void {
    this.set({ panel: "source", file, line });
  }

  showSourceOf(frame: number): void {
    this.set({ panel: "source", frame, file: this.model.frames.file[frame], line: this.model.frames.line[frame] });
  }

  showCall(call: CallRef, end: number): void {
    const room = Math.max((end - call.begin) * 0.15, 50);
    const open = this.state.open.includes(call.thread) ? this.state.open : [...this.state.open, call.thread];
    this.set({ panel: "timeline", frame: call.frame, call, t0: call.begin - room, t1: end + room, open });
  }

  showThread(thread: number): void {
    const threads = this.model.threads;
    const room = Math.max((threads.end_ns[thread] - threads.begin_ns[thread]) * 0.02, 50);
    this.set({
      panel: "timeline",
      t0: threads.begin_ns[thread] - room,
      t1: threads.end_ns[thread] + room,
      call: null,
      open: [thread, ...this.state.open.filter((other) => other !== thread)],
      thread,
    });
  }
}
