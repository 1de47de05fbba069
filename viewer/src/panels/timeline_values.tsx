/* Beside the timeline: what the selected call was given, what it returned, and what it reported (PROF_VALUE). */
import { h } from "preact";
import { CallPlace, CallValues } from "../data/values";
import { Store } from "../state";
import { clean, count, cut } from "../text";

const TIP_LETTERS = 160;
const TIP_LINES = 3;

/* For narrow places, as prof replay writes them: "(key=12) = 3", then the values. */
export function valuesText(values: CallValues): string {
  const given = `${values.arguments ? `(${clean(values.arguments)})` : ""}${values.returned ? ` = ${clean(values.returned)}` : ""}`.trim();
  const more = values.linesAll > TIP_LINES ? [`and ${count(values.linesAll - TIP_LINES)} more`] : [];
  const lines = values.lines.slice(0, TIP_LINES).map(clean).concat(more);
  return [given, ...lines].filter(Boolean).map((line) => cut(line, TIP_LETTERS)).join("\n");
}

function code(text: string) {
  return (
    <div>
      <code>{clean(text)}</code>
    </div>
  );
}

/* Members of a description list. */
export function valueRows(store: Store, call: CallPlace & { end: number }) {
  const { values: all } = store.model;
  const values = store.values.of(call, "selected");
  if (!values && !store.server && !all.isWhole() && all.any && call.thread >= 0)
    return [
      <dt>values</dt>,
      <dd class="quiet">
        This page has those of the longest calls alone. <code>prof replay --range={Math.floor(call.begin)}ns~{Math.ceil(call.end) + 1}ns</code> shows what this call was given, if anything.
      </dd>,
    ];
  if (!values) return [];
  const more = values.linesAll - values.lines.length;
  return [
    values.arguments && <dt>arguments</dt>,
    values.arguments && <dd>{code(values.arguments)}</dd>,
    values.returned && <dt>returned</dt>,
    values.returned && <dd>{code(values.returned)}</dd>,
    values.lines.length > 0 && <dt>values</dt>,
    values.lines.length > 0 && (
      <dd>
        {values.lines.map(code)}
        {more > 0 && <div class="quiet">and {count(more)} more: prof replay</div>}
      </dd>
    ),
  ].filter(Boolean);
}
