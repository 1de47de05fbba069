/* In place of a panel whose figures the server has not worked out yet. */
import { h } from "preact";
import { Store } from "../state";

export function Early(props: { store: Store }) {
  return (
    <div class="empty">
      <p>The figures of this panel follow when the recording is read. What ran when is there already:</p>
      <p class="buttons">
        <button onClick={() => props.store.set({ panel: "timeline" })}>Timeline (2)</button>
      </p>
    </div>
  );
}
