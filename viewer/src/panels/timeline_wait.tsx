/* Beside the timeline: a wait for a lock, and who held it. */
import { h } from "preact";
import { LockWait } from "../data/locks";
import { FunctionLink } from "../parts/links";
import { Store } from "../state";
import { clean, time } from "../text";

export function WaitDetails(props: { store: Store; wait: LockWait; next: (forward: boolean) => void }) {
  const { store, wait } = props;
  const { model } = store;
  const inside = store.innermost(wait.thread, (wait.begin + wait.end) / 2);
  return (
    <div>
      <h2>Wait for {clean(wait.name)}</h2>
      <dl>
        <dt>waited</dt>
        <dd>
          <b>{time(wait.end - wait.begin)}</b>, from {time(wait.begin)} after the start
        </dd>
        <dt>thread</dt>
        <dd>
          {clean(model.threadName(wait.thread))}
          {inside && <span> in </span>}
          {inside && <FunctionLink store={store} frame={inside.lane.frame[inside.at]} most={30} />}
        </dd>
        {wait.holder >= 0 && <dt>held by</dt>}
        {wait.holder >= 0 && (
          <dd>
            <button class="link" onClick={() => store.showThread(wait.holder)}>
              {clean(model.threadName(wait.holder))}
            </button>
            {wait.frame >= 0 && <span>, which took it in </span>}
            {wait.frame >= 0 && <FunctionLink store={store} frame={wait.frame} most={30} />}
          </dd>
        )}
        {wait.released >= 0 && <dt>released</dt>}
        {wait.released >= 0 && (
          <dd>
            at {time(wait.released)}; the thread went on {time(wait.end - wait.released)} later
          </dd>
        )}
      </dl>
      <p class="buttons">
        <button onClick={() => store.showWait(wait, true)}>Zoom to it</button>
        <button onClick={() => props.next(false)}>Previous wait (p)</button>
        <button onClick={() => props.next(true)}>Next wait (n)</button>
      </p>
    </div>
  );
}
