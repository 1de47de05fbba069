/* Beside the timeline: the selected call with its stack and what ran in it, or what ran in a range. */
import { h } from "preact";
import { Call, InRange, sorted, sumLane } from "../data/lanes";
import { lasts } from "../data/points";
import { Ranged } from "../data/ranged";
import { launchOf, MOST_TRACKS } from "../draw/timeline";
import { FunctionLink, LineLink } from "../parts/links";
import { Table } from "../parts/table";
import { Store } from "../state";
import { clean, count, plural, share, time } from "../text";
import { ItemDetails } from "./timeline_item";
import { valueRows } from "./timeline_values";
import { WaitDetails } from "./timeline_wait";

interface Props {
  store: Store;
  hidden: number; /* threads that are not alive in this part */
  save: (kind: "svg" | "png") => void;
  next: (forward: boolean) => void;
  fit: (call: Call) => void;
}

function sums(store: Store, rows: InRange[], label: string, all: number) {
  return (
    <Table<InRange>
      label={label}
      rows={rows}
      id={(row) => row.frame}
      height={`${Math.min(Math.max(rows.length, 2), 14) * 26 + 58}px`}
      open={(row) => store.showFunction(row.frame)}
      columns={[
        { key: "function", title: "Function", left: true, width: 0, text: (row) => clean(store.model.name(row.frame)), show: (row) => <FunctionLink store={store} frame={row.frame} most={22} /> },
        { key: "calls", title: "Calls", width: 86, value: (row) => row.calls, text: (row) => (row.merged ? "~" : "") + count(row.calls) },
        { key: "time_ns", title: "Time", width: 78, value: (row) => row.ns, text: (row) => (row.merged ? "~" : "") + time(row.ns) },
        { key: "share", title: "Share", width: 64, value: (row) => row.ns / all, text: (row) => share(all > 0 ? row.ns / all : 0) },
      ]}
    />
  );
}

/* The selected call. */
function CallDetails(props: Props & { call: Call }) {
  const { store, call } = props;
  const { model } = store;
  const { lane, at } = call;
  const frame = lane.frame[at];
  const [begin, end] = [lane.begin[at], lane.end[at]];
  const lanes = store.lanes(begin, end);
  const stack = lanes.stack(call).slice(0, -1);
  const inside = sorted(sumLane(lanes.lane(lane.thread, lane.depth + 1), begin, end, lanes.step));
  const row = model.rowOf(frame);
  const launch = launchOf(model, call);
  const launcher = launch && launch.thread >= 0 ? store.innermost(launch.thread, launch.time) : null;
  return (
    <div>
      <h2>{clean(model.name(frame))}</h2>
      <dl>
        {valueRows(store, { thread: lane.thread, depth: lane.depth, begin, end })}
        <dt>took</dt>
        <dd>
          <b>{time(end - begin)}</b>
          {lane.flags[at] ? " (a part: it was cut off)" : ""}
          {row >= 0 && model.functions.p50_ns[row] >= 0 ? `; median of this function ${time(model.functions.p50_ns[row])}` : ""}
        </dd>
        <dt>began at</dt>
        <dd>{time(begin)} after the start</dd>
        <dt>{lane.thread < 0 ? "stream" : "thread"}</dt>
        <dd>{clean(model.threadName(lane.thread))}</dd>
        {launch && <dt>launched</dt>}
        {launch && (
          <dd>
            {time(begin - launch.time)} before, by {launch.thread >= 0 ? clean(model.threadName(launch.thread)) : "a thread without probes"}
            {launcher && <span> in </span>}
            {launcher && <FunctionLink store={store} frame={launcher.lane.frame[launcher.at]} most={30} />}
          </dd>
        )}
        {lane.thread >= 0 && <dt>source</dt>}
        {lane.thread >= 0 && (
          <dd>
            <LineLink store={store} file={model.frames.file[frame]} line={model.frames.line[frame]} />
          </dd>
        )}
      </dl>
      <p class="buttons">
        <button onClick={() => props.fit(call)}>Zoom to it (f)</button>
        <button onClick={() => props.next(false)}>Previous call (p)</button>
        <button onClick={() => props.next(true)}>Next call (n)</button>
        {lane.thread >= 0 && <button onClick={() => store.showFunction(frame)}>All its calls</button>}
      </p>
      {lane.thread < 0 ? null : inside.length ? sums(store, inside, "What ran in it", end - begin) : <p class="quiet">{model.meta.cover.burst_functions > 0 ? "No call in it was recorded one by one." : "No instrumented function ran in it."}</p>}
      {inside.some((one) => one.merged) && (
        <p class="quiet">~: calls shorter than {time(lanes.step)} are summed, under the function with most of their time.</p>
      )}
      {lane.thread >= 0 && <h3>Call stack</h3>}
      <ol class="stack">
        {stack.reverse().map((outer) => (
          <li>
            <FunctionLink store={store} frame={outer.lane.frame[outer.at]} most={44} />
            <span class="quiet"> {time(outer.lane.end[outer.at] - outer.lane.begin[outer.at])}</span>
          </li>
        ))}
        {stack.length === 0 && lane.thread >= 0 && <li class="quiet">outermost call</li>}
      </ol>
    </div>
  );
}

/* What ran in a range, by the figures of prof report for it. */
function ExactRange(props: { store: Store; range: [number, number]; exact: Ranged }) {
  const { store, range, exact } = props;
  const { functions } = exact;
  const rows = functions.frame.map((frame, i) => ({ frame, calls: functions.calls[i], ns: functions.total_ns[i], merged: false }));
  const inside = functions.self_ns.reduce((sum, ns) => sum + ns, 0);
  return (
    <div>
      <h2>Range of {time(range[1] - range[0])}</h2>
      <p>{time(inside)} in instrumented functions, all threads together. Exact, as prof report --range. Flamegraph, call tree and functions are of this range.</p>
      {sums(store, rows.sort((a, b) => b.ns - a.ns || a.frame - b.frame), "What ran in the range", inside)}
      {rangeButtons(store, range)}
    </div>
  );
}

function rangeButtons(store: Store, range: [number, number]) {
  return (
    <p class="buttons">
      <button onClick={() => store.set({ t0: range[0], t1: range[1] })}>Zoom to it</button>
      <button onClick={() => store.set({ range: null })}>Clear (Escape)</button>
    </p>
  );
}

/* What ran in a range: each level of each thread counts its calls' part in it. */
function RangeDetails(props: { store: Store; range: [number, number] }) {
  const { store, range } = props;
  const { model } = store;
  const exact = store.exact();
  if (exact) return <ExactRange store={store} range={range} exact={exact} />;
  const into = new Map<number, InRange>();
  let inside = 0;
  for (const [thread, lanes] of model.lanes.byThread)
    lanes.forEach((lane, depth) => {
      const before = depth === 0 ? [...into.values()].reduce((sum, one) => sum + one.ns, 0) : 0;
      sumLane(lane, range[0], range[1], model.lanes.step, into);
      if (depth === 0 && thread >= 0) inside += [...into.values()].reduce((sum, one) => sum + one.ns, 0) - before;
    });
  return (
    <div>
      <h2>Range of {time(range[1] - range[0])}</h2>
      <p>
        {time(inside)} in instrumented functions, all threads together. Times are by the clock; recursion counts each time. Flamegraph, call tree and functions are of this range.
      </p>
      {sums(store, sorted(into), "What ran in the range", inside)}
      {rangeButtons(store, range)}
      <p class="quiet">
        {store.server ? "Exact figures follow." : "Exact figures of it: "}
        {!store.server && <code>prof report --range={Math.round(range[0])}ns~{Math.round(range[1])}ns</code>}
      </p>
    </div>
  );
}

function Legend(props: { store: Store; hidden: number }) {
  const { model } = props.store;
  const merged = model.meta.left_out.merged_calls;
  return (
    <div>
      <h2>Timeline</h2>
      <p>
        {plural([...model.lanes.byThread.keys()].filter((thread) => thread >= 0).length, "thread")}
        {model.gpu ? `, ${plural(model.gpu.stream_name.length, "GPU stream")}` : ""}, {time(model.end - model.begin)}. A box is a call; the calls that it made are below it.
      </p>
      {model.tracks.some(lasts) && (
        <p>Above them: what the program marks. Orange frames, requests and spans took more than twice their median.</p>
      )}
      {model.tracks.length > MOST_TRACKS && (
        <p>
          {MOST_TRACKS} of {count(model.tracks.length)} tracks are shown: the search (/) finds the others by name, and shows the one that is chosen.
        </p>
      )}
      {props.hidden > 0 && <p>{plural(props.hidden, "thread")} that ended before this part, or began after it, {props.hidden === 1 ? "is" : "are"} hidden.</p>}
      {model.meta.has_switches && (
        <p class="legend">
          Above the boxes: <span class="key running" /> running <span class="key waiting" /> waiting <span class="key preempted" /> preempted
        </p>
      )}
      {model.locks.all.length > 0 && (
        <p class="legend">
          <span class="key lock" /> waits for a lock: a click shows which, and who held it. Arrows lead from its release to the wake-up.
        </p>
      )}
      {merged > 0 && !props.store.server && (
        <p>
          {count(merged)} calls shorter than {time(model.meta.left_out.resolution_ns)} are summed: a box of its own needs more.{" "}
          <code>prof replay --range=A~B</code> shows each of them.
        </p>
      )}
      {model.threads.light_thread.length > 0 && (
        <p>Hatched: sparse-clock intervals. Probes read the clock rarely there, so lengths of calls mean little.</p>
      )}
      {model.meta.cover.burst_functions > 0 && (
        <p>Grey ground: time when some functions are recorded in bursts. Their calls have no boxes; Functions and Call tree have estimates of them.</p>
      )}
      <ul class="help">
        <li>click: a call, its stack, what ran in it</li>
        <li>drag: a range, what ran in it</li>
        <li>Ctrl and wheel, or w s: zoom; a d: move; 0: all</li>
        <li>arrows: to the next call, its caller, its first callee</li>
        <li>n p: next and previous call of the function; l: longest</li>
      </ul>
    </div>
  );
}

export function TimelineDetails(props: Props) {
  const { store } = props;
  const { state } = store;
  const ref = state.call;
  const call = store.callOf(ref);
  const item = store.itemOf(state.item);
  const wait = store.waitOf(state.wait);
  return (
    <aside aria-label="Details of the timeline" tabIndex={0}>
      {call ? <CallDetails {...props} call={call} /> : wait ? <WaitDetails store={store} wait={wait} next={props.next} /> : item ? <ItemDetails store={store} number={state.item?.track ?? 0} track={item.track} at={item.at} sums={(rows, label, all) => sums(store, rows, label, all)} next={props.next} /> : state.range ? <RangeDetails store={store} range={state.range} /> : <Legend store={store} hidden={props.hidden} />}
      {!call && ref && <p class="quiet">{store.server ? "This call is shown by itself when its part of the timeline is there." : "This call is too short to be shown by itself."}</p>}
      <p class="buttons">
        <button onClick={() => props.save("png")}>Save PNG</button>
        <button onClick={() => props.save("svg")}>Save SVG</button>
      </p>
    </aside>
  );
}
