/* Above a panel: whether it shows the range that is selected on the timeline. */
import { h } from "preact";
import { Store } from "../state";
import { time } from "../text";

/* whole: the panel shows the whole recording all the same.  parts: only these are of the range. */
export function RangeNote(props: { store: Store; whole?: boolean; parts?: string }) {
  const { store, whole, parts } = props;
  const { range } = store.state;
  const exact = store.exact();
  if (!range) return <span />;
  return (
    <p class="rangenote">
      {whole ? "This panel shows the whole recording, not the selected range" : parts ? `${parts} are of the selected range` : "Of the selected range"} ({time(range[0])} to {time(range[1])})
      {whole || exact ? "." : ": elapsed time by the clock; calls that the timeline sums belong to one function of each sum."}
      {!exact && store.server ? " Exact figures follow. " : " "}
      <button onClick={() => store.set({ range: null })}>Clear the range</button>
    </p>
  );
}
