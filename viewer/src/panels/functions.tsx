/* All functions in a table; of the selected one: durations, slowest calls, callers and callees. */
import { Component, h } from "preact";
import { ABOUT, Edge, edges, Node } from "../data/trees";
import { allSelf, Counter, Figures, SELF } from "../data/model";
import { Histogram, Spark } from "../parts/histogram";
import { Bar, FunctionLink, LineLink } from "../parts/links";
import { Column, Table } from "../parts/table";
import { RangeNote } from "../parts/range_note";
import { ChangeTable } from "./changes";
import { Store } from "../state";
import { about, clean, count, cut, share, time } from "../text";

function counterText(counter: Counter, row: number): string {
  const value = counter.values[row];
  const texts = { count: count(value), ns: time(value), share: value < 0 ? "" : share(value), mean: value < 0 ? "" : value < 100 ? value.toFixed(1) : count(value) };
  return about(counter.estimated, texts[counter.kind]);
}

function columnsOf(store: Store): Column<number>[] {
  const { model, state } = store;
  const { functions } = store.figures();
  const self = functions[SELF[state.kind]];
  const all = allSelf(functions, state.kind);
  const number = (key: string, title: string, from: number[], width: number, hint: string, spare = 0, of_call = false, estimated: number[] = []): Column<number> => ({
    spare,
    key,
    title,
    hint,
    width,
    value: (row) => from[row],
    text: (row) => (of_call && from[row] >= 0 && from[row] < step ? `<${time(step)}` : about(estimated[row] ?? 0, time(from[row]))),
  });
  const step = model.meta.cover.clock_step_ns; /* no duration is more exact */
  return [
    { key: "function", title: "Function", left: true, width: 0, value: (row) => model.name(functions.frame[row]), text: (row) => clean(model.name(functions.frame[row])), show: (row) => <FunctionLink store={store} frame={functions.frame[row]} /> },
    { key: "calls", title: "Calls", width: 92, value: (row) => functions.calls[row], text: (row) => about(functions.calls_estimated[row], count(functions.calls[row])) },
    number("total_ns", "Total", functions.total_ns, 78, "elapsed time with callees", 1, false, functions.total_estimated),
    number(SELF[state.kind], `Self, ${state.kind}`, self, 100, "time of its own", 0, false, functions.self_estimated),
    { key: "self_share", title: "Share", hint: "of all self time of that kind", width: 104, value: (row) => self[row] / all, text: (row) => share(self[row] / all), show: (row) => <Bar part={self[row] / all} /> },
    ...(model.meta.has_switches && state.kind !== "waiting" ? [number("self_waiting_ns", "Waiting", functions.self_waiting_ns, 78, "self time in which its threads waited", 4)] : []),
    number("p50_ns", "Median", functions.p50_ns, 74, "of one call", 3, true),
    number("p99_ns", "P99", functions.p99_ns, 74, "99 of 100 calls took at most this", 2, true),
    number("max_ns", "Max", functions.max_ns, 74, "longest call", 6, true),
    { spare: 5, key: "durations", title: "Durations", hint: "how many calls took how long, short ones left", width: 84, text: () => "", show: (row) => <Spark of={functions.histogram[row]} /> },
    ...(functions.counters ?? []).map((counter, i): Column<number> => ({
      spare: 8 + i,
      key: counter.key,
      title: counter.title,
      hint: "hardware counter, in its own code",
      width: 96,
      value: (row) => counter.values[row],
      text: (row) => counterText(counter, row),
    })),
    { spare: 7, key: "module", title: "Module", left: true, width: 92, value: (row) => model.module(functions.frame[row]), text: (row) => clean(model.module(functions.frame[row])) },
  ];
}

function edgeTable(store: Store, rows: Edge[], label: string, all: number) {
  return (
    <Table<Edge>
      label={label}
      rows={rows}
      id={(row) => row.frame}
      height={`${Math.min(Math.max(rows.length, 1), 8) * 26 + 58}px`}
      open={(row) => row.frame >= 0 && store.showFunction(row.frame)}
      columns={[
        { key: "function", title: "Function", left: true, width: 0, text: (row) => (row.frame < 0 ? "(outermost)" : clean(store.model.name(row.frame))), show: (row) => <FunctionLink store={store} frame={row.frame} most={20} /> },
        { key: "calls", title: "Calls", width: 92, value: (row) => row.calls, text: (row) => about(row.about & ABOUT.calls, count(row.calls)) },
        { key: "total_ns", title: "Time", width: 70, value: (row) => row.total, text: (row) => about(row.about & ABOUT.total, time(row.total)) },
        { key: "share", title: "Share", width: 64, value: (row) => row.total / all, text: (row) => share(row.total / all) },
      ]}
    />
  );
}

function slowest(store: Store, frame: number) {
  const { threads } = store.model;
  const calls = store.slowCalls(frame);
  if (!calls.length) return null;
  return (
    <div>
      <h3>Slowest calls</h3>
      <p class="quiet">by the clock{!store.state.range ? "" : store.exact() ? ", in the range" : ", of the whole recording"}; a click shows one on the timeline</p>
      <ol class="slow">
        {calls.map(({ ref, duration, end }) => (
          <li>
            <button class="link" onClick={() => store.showCall(ref, end)}>
              {time(duration)}
            </button>{" "}
            at {time(ref.begin)} in {clean(threads.name[ref.thread])} {threads.tid[ref.thread]}
          </li>
        ))}
      </ol>
    </div>
  );
}

function facts(store: Store, frame: number, row: number) {
  const { model } = store;
  const of = store.figures().functions;
  const states = (running: number, waiting: number, preempted: number) => `${time(running)} running, ${time(waiting)} waiting, ${time(preempted)} preempted`;
  const parts: [string, string][] = [
    ["calls", about(of.calls_estimated[row], count(of.calls[row]))],
    ["total", `${about(of.total_estimated[row], time(of.total_ns[row]))} elapsed`],
  ];
  if (model.meta.has_switches) {
    parts.push(["of it", about(of.total_estimated[row], states(of.running_ns[row], of.waiting_ns[row], of.preempted_ns[row]))]);
    parts.push(["self", about(of.self_estimated[row], states(of.self_running_ns[row], of.self_waiting_ns[row], of.self_preempted_ns[row]))]);
  } else parts.push(["self", about(of.self_estimated[row], time(of.self_ns[row]))]);
  if (of.min_ns[row] >= 0) parts.push(["one call", `${time(of.min_ns[row])} to ${time(of.max_ns[row])}; mean ${time(of.avg_ns[row])}, median ${time(of.p50_ns[row])}, P95 ${time(of.p95_ns[row])}, P99 ${time(of.p99_ns[row])}`]);
  for (const counter of of.counters ?? []) if (counterText(counter, row)) parts.push([clean(counter.title), counterText(counter, row)]);
  return (
    <dl>
      {parts.map(([name, text]) => [<dt>{name}</dt>, <dd>{text}</dd>])}
      <dt>source</dt>
      <dd>
        <LineLink store={store} file={model.frames.file[frame]} line={model.frames.line[frame]} /> in {clean(model.module(frame)) || "unknown module"}
      </dd>
    </dl>
  );
}

/* Of the selected function. */
class Sandwich extends Component<{ store: Store }, object> {
  private known: { of: Node; frame: number; callers: Edge[]; callees: Edge[] } | null = null;

  render() {
    const { store } = this.props;
    const { model, state } = store;
    const frame = state.frame;
    const figures = store.figures();
    const row = frame >= 0 ? figures.rowOf(frame) : -1;
    if (row < 0) return <aside aria-label="Function">{frame >= 0 ? <p>{clean(model.name(frame))} {store.model.old?.functions.frame.includes(frame) ? "is only in the recording before." : `has no row: it ${store.exact() ? "has no call in the range" : "is a loop"}, or was left out.`}</p> : <p>Select a function: its callers, callees, durations and slowest calls are shown here.</p>}</aside>;
    const of = store.tree();
    if (this.known?.of !== of || this.known.frame !== frame) this.known = { of, frame, ...edges(of, frame) };
    const kind = store.kindShown();
    const { callers, callees } = this.known;
    const all = Math.max(1, callers.reduce((sum, edge) => sum + edge.total, 0));
    return (
      <aside aria-label="Function" tabIndex={0}>
        <h2>{clean(model.name(frame))}</h2>
        {facts(store, frame, row)}
        <p class="buttons">
          <button onClick={() => store.showSourceOf(frame)}>Source</button>
          <button onClick={() => store.set({ panel: "flame", frame, gpu: false })}>Flamegraph</button>
          <button onClick={() => store.set({ panel: "timeline", frame })}>Timeline</button>
        </p>
        {edgeTable(store, callers, `Callers, ${kind} time`, all)}
        {edgeTable(store, callees, `Callees, ${kind} time`, all)}
        {slowest(store, frame)}
        <Histogram of={figures.functions.histogram[row]} label={`Durations of ${clean(model.name(frame))}`} />
      </aside>
    );
  }
}

interface InRange {
  frame: number;
  calls: number;
  total: number;
  self: number;
}

/* Functions of a tree; the total of a recursive one counts once. */
function functionsOf(tree: Node): InRange[] {
  const rows = new Map<number, InRange>();
  const add = (node: Node, open: Set<number>) => {
    for (const child of node.children) {
      const row = rows.get(child.frame) ?? { frame: child.frame, calls: 0, total: 0, self: 0 };
      const within = open.has(child.frame);
      row.calls += child.calls;
      row.self += child.self;
      if (!within) row.total += child.total;
      rows.set(child.frame, row);
      if (!within) open.add(child.frame);
      add(child, open);
      if (!within) open.delete(child.frame);
    }
  };
  add(tree, new Set());
  return [...rows.values()];
}

export class Functions extends Component<{ store: Store }, object> {
  private inRange: { of: Node; rows: InRange[] } | null = null;
  private rows: number[] = [];
  private rowsOf: Figures | null = null;

  key(event: KeyboardEvent): boolean {
    const { store } = this.props;
    if (event.code !== "KeyB" || !store.model.old) return false;
    store.set({ compare: !store.state.compare });
    return true;
  }

  /* The functions of the selected range. */
  private ranged() {
    const { store } = this.props;
    const { model, state } = store;
    const tree = store.tree();
    if (this.inRange?.of !== tree) this.inRange = { of: tree, rows: functionsOf(tree) };
    const all = Math.max(1, tree.total);
    const merged = model.lanes.step > 1 ? "~" : ""; /* short calls are summed */
    return (
      <Table<InRange>
        label={`${count(this.inRange.rows.length)} functions in the range`}
        rows={this.inRange.rows}
        sort="self_ns"
        {...store.ordered("functions")}
        id={(row) => row.frame}
        selected={state.frame >= 0 ? state.frame : undefined}
        select={(row) => store.move({ frame: row.frame })}
        open={(row) => store.showSourceOf(row.frame)}
        columns={[
          { key: "function", title: "Function", left: true, width: 0, value: (row) => model.name(row.frame), text: (row) => clean(model.name(row.frame)), show: (row) => <FunctionLink store={store} frame={row.frame} /> },
          { key: "calls", title: "Calls", width: 100, value: (row) => row.calls, text: (row) => merged + count(row.calls) },
          { key: "total_ns", title: "Total", width: 90, value: (row) => row.total, text: (row) => merged + time(row.total) },
          { key: "self_ns", title: "Self, elapsed", width: 120, value: (row) => row.self, text: (row) => merged + time(row.self) },
          { key: "self_share", title: "Share", width: 104, value: (row) => row.self / all, text: (row) => share(row.self / all), show: (row) => <Bar part={row.self / all} /> },
        ]}
      />
    );
  }

  /* All functions, or those of the exact range. */
  private table(exact: boolean, figures: Figures) {
    const { store } = this.props;
    const { frame } = store.state;
    return (
      <Table<number>
        label={`${count(this.rows.length)} functions${exact ? " in the range" : ""}`}
        rows={this.rows}
        columns={columnsOf(store)}
        sort={SELF[store.state.kind]}
        {...store.ordered("functions")}
        id={(row) => row}
        selected={frame >= 0 ? figures.rowOf(frame) : undefined}
        select={(row) => store.move({ frame: figures.functions.frame[row] })}
        open={(row) => store.showSourceOf(figures.functions.frame[row])}
      />
    );
  }

  render() {
    const { store } = this.props;
    const { model, state } = store;
    const exact = store.exact();
    const old = state.range ? null : store.compared();
    const left = (exact?.facts ?? model.meta).left_out.functions;
    const figures = store.figures();
    if (this.rowsOf !== figures) {
      this.rowsOf = figures;
      this.rows = figures.functions.frame.map((_, row) => row);
    }
    return (
      <div class="split">
        <div class="main">
          <RangeNote store={store} />
          {state.range && !exact && this.ranged()}
          {model.old && !state.range && (
            <div class="controls">
              <label>
                <input type="checkbox" checked={state.compare} onChange={() => store.set({ compare: !state.compare })} /> Beside {cut(clean(model.old.name()), 30)} (b)
              </label>
            </div>
          )}
          {old && <ChangeTable store={store} old={old} />}
          {!old && (!state.range || exact) && this.table(exact !== null, figures)}
          {left > 0 && <p class="quiet note">{count(left)} functions with less self time are left out; prof report has them.</p>}
        </div>
        <Sandwich store={store} />
      </div>
    );
  }
}
