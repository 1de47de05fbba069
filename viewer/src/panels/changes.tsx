/* Two recordings side by side: a table of functions, and a card of the overview. */
import { h } from "preact";
import { ChangeRow, changeRows } from "../data/change";
import { Kind, Model } from "../data/model";
import { Judged, Old } from "../data/old";
import { FunctionLink } from "../parts/links";
import { Column, Table } from "../parts/table";
import { Store } from "../state";
import { about, clean, count, plural, time } from "../text";

const NEEDED = 3; /* runs a side: prof diff judges no times with fewer */

/* Rows are made anew only for another recording or kind of time. */
let known: { of: Model; kind: Kind; rows: ChangeRow[] } | null = null;
function rowsOf(store: Store, old: Old): ChangeRow[] {
  const { model } = store;
  const kind = store.kindCompared();
  if (known?.of !== model || known.kind !== kind) known = { of: model, kind, rows: changeRows(model, old, kind) };
  return known.rows;
}

/* "+12%", "-3.4%" */
function change(ratio: number): string {
  const part = (ratio - 1) * 100;
  const size = Math.abs(part).toFixed(Math.abs(part) < 9.95 ? 1 : 0);
  return `${Number(size) === 0 ? "" : part > 0 ? "+" : "-"}${size}%`;
}

function interval(judged: { ratio: number; low: number; high: number }): string {
  return Number.isFinite(judged.ratio) ? `${change(judged.ratio)} (${change(judged.low)} to ${change(judged.high)})` : "";
}

const GUESSES: Record<string, string> = { renamed: "was", inlined: "contains", outlined: "was part of it:" };

/* What prof diff says, in words. */
function verdictText(old: Old, row: ChangeRow, judged: Judged | null): string {
  const guess = judged?.guess ? `; ${GUESSES[judged.guess] ?? judged.guess} ${clean(judged.guessName)}` : "";
  if (row.calls[0] > 0 && row.calls[1] === 0 && !guess) return "new";
  if (row.calls[1] > 0 && row.calls[0] === 0) return "gone";
  if (!judged) return old.facts.judged ? "under 1%" : "";
  const work = judged.otherWork ? ", other work" : "";
  return `${[judged.verdict, interval(judged)].filter(Boolean).join(" ")}${work}${guess}`;
}

function ratioOf(row: ChangeRow): number {
  return row.self[1] > 0 ? row.self[0] / row.self[1] : row.self[0] > 0 ? Infinity : 1;
}

function ratioText(row: ChangeRow): string {
  const ratio = ratioOf(row);
  return row.self[1] <= 0 || row.self[0] <= 0 ? "" : `${ratio < 0.0995 ? ratio.toPrecision(2) : ratio < 99.5 ? ratio.toFixed(2) : count(ratio)}\u00d7`;
}

function differenceText(row: ChangeRow): string {
  const by = row.self[0] - row.self[1];
  return by === 0 ? "0 ns" : `${by > 0 ? "+" : "-"}${time(Math.abs(by))}`;
}

const ORDER = ["slower", "faster", "same", "unknown"];

function columnsOf(store: Store, old: Old): Column<ChangeRow>[] {
  const { model } = store;
  const kind = store.kindCompared();
  const judged = (row: ChangeRow) => old.judged(row.frame, kind === "waiting" ? "waiting" : "running");
  const side = (key: string, title: string, at: 0 | 1, spare = 0): Column<ChangeRow> => ({ key, title, width: 100, spare, hint: `${kind} time of its own`, value: (row) => row.self[at], text: (row) => about(row.about[at], time(row.self[at])) });
  const calls = (key: string, title: string, at: 0 | 1, spare: number): Column<ChangeRow> => ({ key, title, width: 104, spare, value: (row) => row.calls[at], text: (row) => count(row.calls[at]) });
  const p99 = (key: string, title: string, at: 0 | 1, spare: number): Column<ChangeRow> => ({ key, title, width: 92, spare, hint: "99 of 100 calls took at most this", value: (row) => row.p99[at], text: (row) => time(row.p99[at]) });
  return [
    { key: "function", title: "Function", left: true, width: 0, value: (row) => model.name(row.frame), text: (row) => clean(model.name(row.frame)), show: (row) => <FunctionLink store={store} frame={row.frame} most={60} /> },
    side("now_self_ns", "Self now", 0),
    side("before_self_ns", "Self before", 1),
    { key: "ratio", title: "Ratio", hint: "self time now by self time before", width: 74, value: ratioOf, text: ratioText },
    { key: "changed_ns", title: "Difference", hint: "of self time; the largest first", width: 112, value: (row) => Math.abs(row.self[0] - row.self[1]), text: differenceText },
    { key: "verdict", title: "Verdict on a call", hint: "of its time, by prof diff, with the 95% interval; functions under 1% are not compared", left: true, width: 230, value: (row) => `${ORDER.indexOf(judged(row)?.verdict ?? "unknown")} ${verdictText(old, row, judged(row))}`, text: (row) => verdictText(old, row, judged(row)) },
    calls("now_calls", "Calls now", 0, 1),
    calls("before_calls", "Calls before", 1, 1),
    p99("now_p99_ns", "P99 now", 0, 2),
    p99("before_p99_ns", "P99 before", 1, 2),
  ];
}

/* In one sentence: faster or slower as a whole, or why that is not known. */
export function programText(old: Old): string {
  const { facts } = old;
  if (!facts.judged) return "not judged: a filter hides a part of both";
  const runs = `${facts.new_runs} and ${facts.old_runs} runs`;
  if (facts.recorded_differently) return "unknown: the two were recorded in different ways";
  if (Math.min(facts.old_runs, facts.new_runs) < NEEDED) return `unknown: ${runs}; ${NEEDED} or more of each are needed to judge times (--runs, --against)`;
  const [ratio, low, high] = [facts.program_ratio ?? NaN, facts.program_low ?? NaN, facts.program_high ?? NaN];
  return `${facts.program_verdict}: running time ${interval({ ratio, low, high })}, ${runs}`;
}

export function ChangeTable(props: { store: Store; old: Old }) {
  const { store, old } = props;
  const rows = rowsOf(store, old);
  return (
    <Table<ChangeRow>
      label={`${count(rows.length)} functions, beside ${clean(old.name())}`}
      rows={rows}
      columns={columnsOf(store, old)}
      sort="changed_ns"
      {...store.ordered("changes")}
      id={(row) => row.frame}
      selected={store.state.frame >= 0 ? old.rowAs(store.state.frame) : undefined}
      select={(row) => store.move({ frame: row.frame })}
      open={(row) => store.showSourceOf(row.frame)}
    />
  );
}

const SHOWN = 6;

/* What changed since the other recording. */
export function ChangeCard(props: { store: Store; old: Old }) {
  const { store, old } = props;
  const { facts } = old;
  const rows = [...rowsOf(store, old)].sort((a, b) => Math.abs(b.self[0] - b.self[1]) - Math.abs(a.self[0] - a.self[1])).filter((row) => row.self[0] !== row.self[1]);
  const wall = (ns: number) => (ns ? time(ns) : "unknown time");
  return (
    <section class="changed">
      <h2>Since {clean(old.name())}</h2>
      <p>
        {programText(old)}. Took {wall(store.model.meta.wall_ns)}, before {wall(facts.wall_ns)}.
      </p>
      {facts.machines_differ && <p class="warn">Recorded on different machines: a change may be theirs.</p>}
      {facts.incomplete && <p class="warn">A recording is incomplete: prof info says what is missing.</p>}
      <ol class="bars">
        {rows.slice(0, SHOWN).map((row) => (
          <li>
            <FunctionLink store={store} frame={row.frame} most={26} />
            <span class="value quiet">{ratioText(row) || (row.self[1] > 0 ? "gone" : "new")}</span>
            <span class="value">{differenceText(row)}</span>
          </li>
        ))}
      </ol>
      <p>
        <button class="link" onClick={() => store.set({ panel: "flame", compare: true, gpu: false, thread: -1, range: null })}>
          flamegraph of changes
        </button>
        ,{" "}
        <button class="link" onClick={() => store.set({ panel: "functions", compare: true, range: null })}>
          {plural(rows.length, "function")} that differ
        </button>
      </p>
    </section>
  );
}
