/* Beside the timeline: the selected frame, request, span, mark or value, and what ran in it or at that time. */
import { h } from "preact";
import { InRange, sorted, sumLane } from "../data/lanes";
import { itemName, lasts, longestOf, Track } from "../data/points";
import { FunctionLink } from "../parts/links";
import { Store } from "../state";
import { clean, count, share, time } from "../text";

interface Props {
  store: Store;
  number: number; /* of the track */
  track: Track;
  at: number;
  sums: (rows: InRange[], label: string, all: number) => unknown;
  next: (forward: boolean) => void;
}

const KINDS = { frame: "Frame", request: "Request", span: "Span", mark: "Mark", counter: "Counter", value: "Value" };

/* What ran in it: in its thread, or in all. */
function inside(store: Store, track: Track, at: number): InRange[] {
  const [begin, end] = [track.begin[at], track.end[at]];
  const lanes = store.lanes(begin, end);
  const into = new Map<number, InRange>();
  for (const [thread, levels] of lanes.byThread)
    if (thread >= 0 && (track.kind !== "frame" || thread === track.threads[at])) for (const lane of levels) sumLane(lane, begin, end, lanes.step, into);
  return sorted(into);
}

function longest(props: Props) {
  const { store, track, number } = props;
  const rows = longestOf(track, 5);
  if (rows.length < 2) return null;
  return (
    <div>
      <h3>Longest of {count(track.all)}</h3>
      <ol class="slow">
        {rows.map((at) => (
          <li>
            <button class="link" onClick={() => store.showItem({ track: number, begin: track.begin[at] }, true)}>
              {time(track.end[at] - track.begin[at])}
            </button>{" "}
            at {time(track.begin[at])}
            {track.kind === "frame" ? "" : `, ${clean(itemName(track, at))}`}
          </li>
        ))}
      </ol>
    </div>
  );
}

function took(track: Track, at: number) {
  const ns = track.end[at] - track.begin[at];
  return (
    <dd>
      <b>{time(ns)}</b>; median {time(track.p50)}, 99th percentile {time(track.p99)}
    </dd>
  );
}

export function ItemDetails(props: Props) {
  const { store, track, at } = props;
  const { model } = store;
  const thread = track.threads[at];
  const rows = lasts(track) ? inside(store, track, at) : [];
  const during = !lasts(track) && thread >= 0 ? store.innermost(thread, track.begin[at]) : null;
  const name = clean(itemName(track, at));
  return (
    <div>
      <h2>{track.kind === "request" ? name : `${KINDS[track.kind]} ${name}`}</h2>
      <dl>
        {lasts(track) && <dt>took</dt>}
        {lasts(track) && took(track, at)}
        {(track.kind === "counter" || track.kind === "value") && <dt>value</dt>}
        {(track.kind === "counter" || track.kind === "value") && (
          <dd>
            <b>{Number.isFinite(track.value[at]) ? track.value[at].toLocaleString("en-US", { maximumSignificantDigits: 15 }) : "no number"}</b> {clean(track.unit)}
          </dd>
        )}
        <dt>{lasts(track) ? "began at" : "at"}</dt>
        <dd>{time(track.begin[at]) || "0 ns"} after the start</dd>
        {thread >= 0 && <dt>{track.kind === "span" ? "begun by" : "thread"}</dt>}
        {thread >= 0 && <dd>{clean(model.threadName(thread))}</dd>}
        {track.kind === "counter" && thread < 0 && model.processOf(track) && <dt>process</dt>}
        {track.kind === "counter" && thread < 0 && model.processOf(track) && <dd>{clean(model.processOf(track))}</dd>}
        {during && <dt>in</dt>}
        {during && (
          <dd>
            <FunctionLink store={store} frame={during.lane.frame[during.at]} most={40} />
          </dd>
        )}
      </dl>
      <p class="buttons">
        {lasts(track) && <button onClick={() => store.showItem({ track: props.number, begin: track.begin[at] }, true)}>Zoom to it (f)</button>}
        <button onClick={() => props.next(false)}>Previous (p)</button>
        <button onClick={() => props.next(true)}>Next (n)</button>
        <button onClick={() => store.set({ item: null, range: null })}>Clear (Escape)</button>
      </p>
      {lasts(track) && (rows.length ? props.sums(rows, track.kind === "frame" ? "What ran in it" : "What ran meanwhile, all threads", track.end[at] - track.begin[at]) : <p class="quiet">No instrumented function ran in it.</p>)}
      {rows.length > 0 && <p class="quiet">Times are by the clock; recursion counts each time.</p>}
      {lasts(track) && longest(props)}
      {track.begin.length < track.all && (
        <p class="quiet">
          {share(track.begin.length / track.all)} of them are shown, the longest or outermost of their neighbours; prof {track.kind === "frame" ? "frames" : "replay"} has all.
        </p>
      )}
    </div>
  );
}
