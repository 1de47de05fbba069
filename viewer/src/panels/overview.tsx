/* What the program did, where its time went, what is worth a look. */
import { h } from "preact";
import { hotLineOf, hotLoopsOf, hottestLoopOf, loopFacts, ownTimeOf, untimedLoopsOf } from "../data/costs";
import { allSelf, Gpu, SELF } from "../data/model";
import { itemName, lasts, longestOf, trackName } from "../data/points";
import { Bar, FunctionLink, LineLink } from "../parts/links";
import { RangeNote } from "../parts/range_note";
import { Store } from "../state";
import { about, bytes, clean, count, cut, cutName, plural, share, short, time } from "../text";
import { ChangeCard } from "./changes";
import { CostCard } from "./cost";
import { firstThread, StateBar } from "./threads";

function ran(store: Store) {
  const { meta, processes, threads } = store.model;
  const began = new Date(meta.start_realtime_ns / 1e6);
  return (
    <section>
      <h2>What ran</h2>
      <p class="command">{clean(meta.command) || "command not recorded"}</p>
      <dl>
        <dt>took</dt>
        <dd>
          <b>{time(meta.wall_ns || store.model.end - store.model.begin)}</b>, {plural(processes.name.length, "process")}, {plural(threads.name.length, "thread")}
        </dd>
        <dt>calls</dt>
        <dd>{meta.cover.unknown_functions > 0 ? `at least ${count(meta.cover.calls)}` : about(meta.cover.burst_functions, count(meta.cover.calls))}</dd>
        <dt>when</dt>
        <dd>{meta.start_realtime_ns ? `${began.toISOString().slice(0, 16).replace("T", " ")} UTC` : "not recorded"}</dd>
        <dt>where</dt>
        <dd>{[meta.host, meta.cpu].filter(Boolean).map(clean).join(", ") || "not recorded"}</dd>
        <dt>recording</dt>
        <dd>
          {clean(meta.recording)}, {plural(meta.events, "event")}, {bytes(meta.file_bytes)}
        </dd>
      </dl>
      {meta.filtered && <p class="warn">A filter hides a part of the recording.</p>}
    </section>
  );
}

function went(store: Store) {
  const { meta } = store.model;
  const { cover } = meta;
  const shares: [string, number | undefined][] = [
    ["your instrumented code", cover.probed_share],
    ["other libraries", cover.library_share],
    ["the kernel", cover.kernel_share],
    ["unknown code", cover.unknown_share],
  ];
  return (
    <section>
      <h2>Where the time went</h2>
      <p>
        {time(cover.inside_ns)} in instrumented functions, all threads together
        {cover.error_ns || cover.probe_error_ns ? ` (uncertainty ${time(cover.probe_error_ns)})` : ""}.
      </p>
      {meta.has_switches && (
        <div>
          <StateBar running={cover.running_ns} waiting={cover.waiting_ns} preempted={cover.preempted_ns} />
          <p class="legend">
            <span>
              <span class="key running" /> {time(cover.running_ns)} running
            </span>{" "}
            <span>
              <span class="key waiting" /> {time(cover.waiting_ns)} waiting
            </span>{" "}
            <span>
              <span class="key preempted" /> {time(cover.preempted_ns)} preempted
            </span>
          </p>
        </div>
      )}
      {cover.samples > 0 && (
        <table class="bars">
          <caption>CPU time, by {plural(cover.samples, "sample")}</caption>
          <tbody>
            {shares.map(([name, part]) =>
              part ? (
                <tr>
                  <th scope="row">{name}</th>
                  <td>
                    <Bar part={part} />
                  </td>
                </tr>
              ) : null,
            )}
          </tbody>
        </table>
      )}
    </section>
  );
}

function hotFunctions(store: Store) {
  const { state } = store;
  const { functions } = store.figures();
  const self = functions[SELF[state.kind]];
  const all = allSelf(functions, state.kind);
  const rows = self.map((_, row) => row).sort((a, b) => self[b] - self[a]);
  return (
    <section>
      <h2>Hottest functions</h2>
      <p class="quiet">{state.kind} time of their own</p>
      <ol class="bars">
        {rows.slice(0, 8).map((row) => (
          <li>
            <FunctionLink store={store} frame={functions.frame[row]} most={26} />
            <span class="value">{about(functions.self_estimated[row], time(self[row]))}</span>
            <Bar part={self[row] / all} />
          </li>
        ))}
      </ol>
    </section>
  );
}

function lastPart(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

function hotLines(store: Store) {
  const { lines } = store.figures();
  const ran = lines.self_ns.map((self, i) => self + lines.outside_ns[i]);
  const outside = lines.outside_ns.some((ns) => ns > 0);
  const all = Math.max(1, lines.self_ns.reduce((sum, self) => sum + self, 0));
  /* Where the lines are known that led to libraries, these need no rows of their own. */
  const rows = ran.map((_, i) => i).filter((i) => ran[i] > 0 && (!outside || lines.line[i] > 0));
  rows.sort((a, b) => ran[b] - ran[a]);
  if (!rows.length) return null;
  return (
    <section>
      <h2>Hottest lines</h2>
      <p class="quiet">running time by samples{outside ? ", with that of libraries and the kernel because of the line" : "; library functions have no line"}</p>
      <ol class="bars">
        {rows.slice(0, 6).map((i) => (
          <li>
            <span class="where">
              {lines.line[i] > 0 ? <LineLink store={store} file={lines.file[i]} line={lines.line[i]} /> : clean(lines.function[i])}{" "}
              <span class="quiet" title={clean(lines.function[i])}>{lines.line[i] > 0 ? cutName(clean(lines.function[i]), 20) : lastPart(clean(store.model.file(lines.file[i])))}</span>
            </span>
            <span class="value">{time(ran[i])}</span>
            <Bar part={ran[i] / all} />
          </li>
        ))}
      </ol>
    </section>
  );
}

function hotLoops(store: Store) {
  const { state } = store;
  const figures = store.figures();
  const { loops } = figures;
  const self = loops[SELF[state.kind]];
  const rows = hotLoopsOf(figures, state.kind);
  const untimed = untimedLoopsOf(figures, state.kind);
  if (!rows.length) return null;
  return (
    <section>
      <h2>Hottest loops</h2>
      <p class="quiet">{state.kind} time of their own; hottest line of each; iterations{untimed > 0 && `; ${plural(untimed, "more loop")} recorded in bursts: times not known`}</p>
      <ol class="bars">
        {rows.slice(0, 6).map((i) => {
          const hot = hotLineOf(figures, i);
          const line = hot ? hot.line : loops.line[i];
          return (
            <li>
              <span class="where">
                <LineLink store={store} file={loops.file[i]} line={line} /> <span class="quiet" title={clean(loops.function[i])}>{cutName(clean(loops.function[i]), 12)}</span>
              </span>
              <span class="quiet" title={loopFacts(loops.flags[i]).join(", ")}>
                {loops.iterations[i] >= 0 ? `${short(loops.iterations[i])}\u00d7` : ""}
              </span>
              <span class="value">{ownTimeOf(figures, i, state.kind)}</span>
              <Bar part={self[i] / allSelf(figures.functions, state.kind)} />
            </li>
          );
        })}
      </ol>
    </section>
  );
}

/* Threads that waited most, or the longest processes where there are many. */
function whoWaited(store: Store) {
  const { threads, processes, meta } = store.model;
  const waiting = threads.name.map((_, i) => i).filter((i) => threads.waiting_ns[i] > 0);
  waiting.sort((a, b) => threads.waiting_ns[b] - threads.waiting_ns[a]);
  const longest = processes.name.map((_, i) => i).filter((i) => processes.threads[i] > 0);
  longest.sort((a, b) => processes.end_ns[b] - processes.begin_ns[b] - processes.end_ns[a] + processes.begin_ns[a]);
  if (!(meta.has_switches && waiting.length) && longest.length < 2) return null;
  return (
    <section>
      {meta.has_switches && waiting.length > 0 && <h2>Threads that waited most</h2>}
      {meta.has_switches && (
        <ol class="bars">
          {waiting.slice(0, 5).map((i) => (
            <li>
              <button class="link" onClick={() => store.showThread(i)}>
                {clean(store.model.threadName(i))}
              </button>
              <span class="value">{time(threads.waiting_ns[i])}</span>
              <StateBar running={threads.running_ns[i]} waiting={threads.waiting_ns[i]} preempted={threads.preempted_ns[i]} />
            </li>
          ))}
        </ol>
      )}
      {longest.length > 1 && <h2>Longest processes</h2>}
      {longest.length > 1 && (
        <ol class="bars">
          {longest.slice(0, 5).map((i) => (
            <li>
              <button class="link" onClick={() => store.showThread(firstThread(store, i))}>
                {clean(processes.name[i])} {processes.pid[i]}
              </button>
              <span class="value">{time(processes.end_ns[i] - processes.begin_ns[i])}</span>
            </li>
          ))}
        </ol>
      )}
    </section>
  );
}

/* The longest waits for locks, and who held them. */
function lockWaits(store: Store) {
  const { model } = store;
  const waits = model.locks.longest(6);
  if (!waits.length) return null;
  return (
    <section class="locks">
      <h2>Longest waits for locks</h2>
      <p class="quiet">by the clock; prof locks sums them by lock</p>
      <ol class="plain">
        {waits.map((wait) => (
          <li>
            <button class="link" onClick={() => store.showWait(wait, true)}>
              {time(wait.end - wait.begin)}
            </button>{" "}
            {clean(model.threadName(wait.thread))} for {cut(clean(wait.name), 40)}
            {wait.holder >= 0 && <span class="quiet">, held by {clean(model.threadName(wait.holder))}</span>}
          </li>
        ))}
      </ol>
    </section>
  );
}

/* With which arguments calls took the time. */
function byArgument(store: Store) {
  const { calls } = store.model;
  if (!calls.name.length) return null;
  return (
    <section class="calls">
      <h2>Calls by arguments</h2>
      <p class="quiet">{calls.all > 8 ? `8 of ${count(calls.all)}; ` : ""}prof report --by=arg shows all</p>
      <ol class="plain">
        {calls.name.slice(0, 8).map((name, i) => (
          <li title={clean(name)}>
            <code>{cut(clean(name), 60)}</code>{" "}
            <span class="quiet">
              {time(calls.total_ns[i])} in {plural(calls.count[i], "call")}, at most {time(calls.max_ns[i])}
            </span>
          </li>
        ))}
      </ol>
    </section>
  );
}

const WAITED_FOR = {
  host: "the program had not asked for more",
  launch: "its call had begun",
  queued: "the next work had been asked for before",
  unknown: "what asked for the next work is not known",
};

/* Why nothing ran: what the thread that asked for the next work did in the middle of the gap. */
function gapCause(store: Store, gpu: Gpu, i: number) {
  const thread = gpu.gap_thread[i];
  const call = thread >= 0 ? store.innermost(thread, (gpu.gap_begin_ns[i] + gpu.gap_end_ns[i]) / 2) : null;
  return (
    <span>
      <span class="quiet">
        {WAITED_FOR[gpu.gap_why[i]]}
        {call ? `; ${clean(store.model.threadName(thread))} was in ` : ""}
      </span>
      {call && <FunctionLink store={store} frame={call.lane.frame[call.at]} most={40} />}
    </span>
  );
}

function gaps(store: Store, gpu: Gpu) {
  if (!gpu.gap_device.length) return null;
  const show = (i: number) => {
    const [begin, end] = [gpu.gap_begin_ns[i], gpu.gap_end_ns[i]];
    const room = (end - begin) * 0.15;
    const open = gpu.gap_thread[i] >= 0 && !store.state.open.includes(gpu.gap_thread[i]) ? [gpu.gap_thread[i], ...store.state.open] : store.state.open;
    store.set({ panel: "timeline", range: [begin, end], t0: begin - room, t1: end + room, call: null, open });
  };
  return (
    <div>
      <h2>Longest times when nothing ran</h2>
      <ol class="plain gaps">
        {gpu.gap_device.slice(0, 5).map((device, i) => (
          <li>
            <button class="link" onClick={() => show(i)}>
              {time(gpu.gap_end_ns[i] - gpu.gap_begin_ns[i])}
            </button>{" "}
            GPU {device}: {gapCause(store, gpu, i)}
          </li>
        ))}
      </ol>
    </div>
  );
}

function gpus(store: Store) {
  const { gpu } = store.model;
  if (!gpu?.device) return null;
  return (
    <section>
      <h2>GPUs</h2>
      <p class="quiet">busy: something ran, between the first and the last work</p>
      <ol class="bars">
        {gpu.device.map((device, i) => (
          <li>
            <button class="link" onClick={() => store.set({ panel: "timeline" })}>
              GPU {device}
              {gpu.device_name[i] ? `, ${clean(gpu.device_name[i])}` : ""}
            </button>
            <span class="quiet">idle {time(gpu.device_idle_ns[i])}</span>
            <Bar part={gpu.device_busy_share[i]} title="busy" />
          </li>
        ))}
      </ol>
      {store.model.gpuTree && (
        <p>
          <button class="link" onClick={() => store.set({ panel: "flame", gpu: true, path: [] })}>
            flamegraph of GPU time
          </button>
          , below the calls that launched it
        </p>
      )}
      {gaps(store, gpu)}
    </section>
  );
}

/* Of the marked things with most time, the longest, if it is far longer than others. */
function worstItem(store: Store) {
  const rows = store.model.tracks.map((track, number) => ({ track, number, at: 0 })).filter(({ track }) => lasts(track) && track.p50 > 0 && track.max > 2 * track.p50);
  rows.sort((a, b) => b.track.total - a.track.total);
  const [worst] = rows;
  if (worst) [worst.at] = longestOf(worst.track, 1);
  return worst;
}

const MARKED = { frame: "Frames", request: "Requests", span: "Spans" };

/* Frames, requests and spans that the program marks: the longest of each, one click from the timeline. */
function marked(store: Store) {
  const { model } = store;
  const rows = model.tracks.map((track, number) => ({ track, number })).filter(({ track }) => lasts(track));
  if (!rows.length) return null;
  const kinds = [...new Set(rows.map(({ track }) => MARKED[track.kind as keyof typeof MARKED]))];
  return (
    <section class="marked">
      <h2>{kinds.map((kind, i) => (i ? kind.toLowerCase() : kind)).join(", ")}</h2>
      <p class="quiet">marked by the program: median, 99th percentile, longest</p>
      <ol class="bars">
        {rows.slice(0, 6).map(({ track, number }) => {
          const [worst] = longestOf(track, 1);
          return (
            <li>
              <span class="where" title={clean(trackName(track))}>
                {count(track.all)} {cut(clean(trackName(track)), 24)}
              </span>
              <span class="value quiet">{time(track.p50)}</span>
              <span class="value quiet">{time(track.p99)}</span>
              <button class="link value" title={`the longest of ${clean(trackName(track))}`} onClick={() => store.showItem({ track: number, begin: track.begin[worst] }, true)}>
                {time(track.end[worst] - track.begin[worst])}
              </button>
            </li>
          );
        })}
      </ol>
    </section>
  );
}

function next(store: Store) {
  const { model, state } = store;
  const figures = store.figures();
  const { functions, loops } = figures;
  const self = functions[SELF[state.kind]];
  let top = -1;
  self.forEach((ns, row) => {
    if (top < 0 || ns > self[top]) top = row;
  });
  const loop = hottestLoopOf(figures, state.kind);
  const hot = loop >= 0 ? hotLineOf(figures, loop) : undefined;
  const { cover, has_switches } = model.meta;
  const worst = worstItem(store);
  const waits = has_switches && cover.waiting_ns > cover.running_ns;
  const frame = top >= 0 ? functions.frame[top] : -1;
  return (
    <section class="next">
      <h2>Look at next</h2>
      <ul class="plain">
        {frame >= 0 && (
          <li>
            <FunctionLink store={store} frame={frame} most={60} /> has the most {state.kind} time: its callers and slowest calls
          </li>
        )}
        {loop >= 0 && (
          <li>
            <LineLink store={store} file={loops.file[loop]} line={hot ? hot.line : loops.line[loop]} /> {hot ? "is the hottest line of the hottest loop" : "is the hottest loop"}
          </li>
        )}
        {worst && (
          <li>
            <button class="link" onClick={() => store.showItem({ track: worst.number, begin: worst.track.begin[worst.at] }, true)}>
              the longest {worst.track.kind} {worst.track.kind === "request" ? worst.track.id[worst.at] : clean(itemName(worst.track, worst.at))}
            </button>{" "}
            took {time(worst.track.max)}, {short(worst.track.max / worst.track.p50)} times the median
          </li>
        )}
        {waits && state.kind !== "waiting" && (
          <li>
            <button class="link" onClick={() => store.set({ panel: "flame", kind: "waiting", gpu: false })}>
              flamegraph of waiting time
            </button>
            : threads waited {time(cover.waiting_ns)}, longer than they ran
          </li>
        )}
        <li>
          <button class="link" onClick={() => store.set({ panel: "timeline" })}>
            timeline
          </button>
          : what ran when
        </li>
        {cover.library_share > 0.3 && <li>{share(cover.library_share)} of CPU time is in libraries without probes: prof lines has their functions</li>}
      </ul>
    </section>
  );
}

export function Overview(props: { store: Store }) {
  const { store } = props;
  return (
    <div class="cards" tabIndex={0} role="region" aria-label="Overview">
      {store.state.range && <RangeNote store={store} whole={!store.exact()} parts="Hottest functions, lines and loops" />}
      {next(store)}
      {store.model.old && <ChangeCard store={store} old={store.model.old} />}
      {ran(store)}
      {went(store)}
      {marked(store)}
      {hotFunctions(store)}
      {hotLines(store)}
      {hotLoops(store)}
      {gpus(store)}
      {whoWaited(store)}
      {lockWaits(store)}
      {byArgument(store)}
      <CostCard store={store} />
    </div>
  );
}
