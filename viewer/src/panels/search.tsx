/* Finds functions, files, threads, processes and tracks by some of their letters. */
import { Component, h } from "preact";
import { PANELS, Store } from "../state";
import { longestOf, trackName } from "../data/points";
import { clean, count, cut, fits, time } from "../text";
import { firstThread } from "./threads";

interface Found {
  title: string;
  kind: string;
  score: number;
  go: () => void;
}

const MOST = 40;

export class Search extends Component<{ store: Store; close: () => void }, { words: string; at: number }> {
  private field: HTMLInputElement | null = null;

  constructor(props: { store: Store; close: () => void }) {
    super(props);
    this.state = { words: "", at: 0 };
  }

  componentDidMount(): void {
    this.field?.focus();
  }

  private found(): Found[] {
    const { store } = this.props;
    const { model } = store;
    const { words } = this.state;
    if (!words) return [];
    const out: Found[] = [];
    const add = (title: string, kind: string, weight: number, go: () => void) => {
      const score = fits(title, words);
      if (score > 0) out.push({ title, kind, score: score + weight, go });
    };
    model.functions.frame.forEach((frame, row) =>
      add(model.name(frame), `function, ${time(model.functions.total_ns[row])}`, 30 + 60 * model.functions.self_share[row], () => store.showFunction(frame)),
    );
    model.frames.files.forEach((name, file) => add(name, "source", 20, () => store.showSource(file, 0)));
    if (model.processes.name.length > 1) model.processes.name.forEach((name, process) => model.processes.threads[process] > 0 && add(`${name} ${model.processes.pid[process]}`, "process", 10, () => store.showThread(firstThread(store, process))));
    model.threads.name.forEach((_, thread) => add(model.threadName(thread), "thread", 10, () => store.showThread(thread)));
    model.tracks.forEach((track, number) => add(trackName(track), `${track.kind}, ${count(track.all)}`, 10, () => store.showItem({ track: number, begin: track.begin[longestOf(track, 1)[0] ?? 0] }, false)));
    for (const panel of PANELS) add(panel.title, "panel", 30, () => store.set({ panel: panel.id }));
    return out.sort((a, b) => b.score - a.score || (a.title < b.title ? -1 : 1)).slice(0, MOST);
  }

  private key(event: KeyboardEvent, found: Found[]): void {
    const { at } = this.state;
    if (event.key === "ArrowDown") this.setState({ at: Math.min(at + 1, found.length - 1) });
    else if (event.key === "ArrowUp") this.setState({ at: Math.max(at - 1, 0) });
    else if (event.key === "Enter" && found[at]) this.go(found[at]);
    else if (event.key === "Escape") this.props.close();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  private go(one: Found): void {
    this.props.close();
    one.go();
  }

  render() {
    const found = this.found();
    return (
      <div class="veil" onClick={() => this.props.close()}>
        <div class="dialog" role="dialog" aria-modal="true" aria-label="Search" onClick={(event: Event) => event.stopPropagation()}>
          <input
            type="text"
            role="combobox"
            aria-label="Search functions, sources, threads"
            aria-expanded="true"
            aria-controls="found"
            aria-activedescendant={found.length ? `found-${this.state.at}` : undefined}
            placeholder="Function, source or thread"
            value={this.state.words}
            ref={(element?: Element) => void (this.field = (element as HTMLInputElement) ?? this.field)}
            onInput={(event: Event) => this.setState({ words: (event.target as HTMLInputElement).value, at: 0 })}
            onKeyDown={(event: KeyboardEvent) => this.key(event, found)}
          />
          <div id="found" role="listbox" aria-label="Found" tabIndex={-1}>
            {found.map((one, i) => (
              <div role="option" id={`found-${i}`} aria-selected={String(i === this.state.at)} class={i === this.state.at ? "found at" : "found"} onClick={() => this.go(one)}>
                <span title={clean(one.title)}>{cut(clean(one.title), 100)}</span> <em>{one.kind}</em>
              </div>
            ))}
            {this.state.words && !found.length && <div class="found" role="option" aria-selected="false">nothing has these letters in this order</div>}
          </div>
        </div>
      </div>
    );
  }
}
