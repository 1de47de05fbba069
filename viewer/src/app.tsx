/* The frame of the page: title, panels, search, help, keys that work everywhere. */
import { Component, h } from "preact";
import { Kind } from "./data/model";
import { Early } from "./panels/early";
import { Flame } from "./panels/flame";
import { Functions } from "./panels/functions";
import { Help } from "./panels/help";
import { Overview } from "./panels/overview";
import { Search } from "./panels/search";
import { Source } from "./panels/source";
import { Threads } from "./panels/threads";
import { Timeline } from "./panels/timeline";
import { Tree } from "./panels/tree";
import { announce } from "./parts/copy";
import { Panel, PANELS, Store } from "./state";
import { clean, cut, time } from "./text";

const KINDS: Kind[] = ["running", "waiting", "elapsed"];

interface Keyed {
  key(event: KeyboardEvent): boolean; /* true: it was for this panel */
}

interface Own {
  dialog: "" | "search" | "help";
}

/* The command without the folder of its program. */
function title(command: string): string {
  const [program, ...rest] = command.split(" ");
  return [program.slice(program.lastIndexOf("/") + 1), ...rest].join(" ");
}

export class App extends Component<{ store: Store }, Own> {
  private shown: Keyed | null = null;
  private opener: HTMLElement | null = null;

  constructor(props: { store: Store }) {
    super(props);
    this.state = { dialog: "" };
  }

  componentDidMount(): void {
    this.props.store.subscribe(() => this.setState({}));
    document.addEventListener("keydown", (event) => this.key(event));
  }

  private open(dialog: Own["dialog"]): void {
    if (dialog) this.opener = document.activeElement as HTMLElement;
    this.setState({ dialog });
    if (!dialog) this.opener?.focus();
  }

  private theme(): void {
    const { dataset } = document.documentElement;
    dataset.chosen = "true";
    dataset.theme = dataset.theme === "dark" ? "light" : "dark";
    this.setState({});
  }

  private kind(step: Kind | ""): void {
    const { store } = this.props;
    if (!store.model.meta.has_switches) return;
    store.set({ kind: step || KINDS[(KINDS.indexOf(store.state.kind) + 1) % KINDS.length] });
  }

  private key(event: KeyboardEvent): void {
    const target = event.target as HTMLElement;
    if (event.key === "Escape" && this.state.dialog) this.open("");
    else if (event.code === "KeyF" && (event.ctrlKey || event.metaKey) && !this.state.dialog) this.open("search"); /* the browser's search would miss rows out of view */
    else if (this.state.dialog || event.ctrlKey || event.metaKey || event.altKey || /^(INPUT|SELECT|TEXTAREA)$/.test(target.tagName)) return;
    else if (event.defaultPrevented || (target.tagName === "BUTTON" && (event.key === "Enter" || event.key === " "))) return;
    else if (/^Digit[1-7]$/.test(event.code) && !event.shiftKey) this.go(PANELS[Number(event.code.slice(5)) - 1].id, true);
    else if (event.key === "/") this.open("search");
    else if (event.key === "?") this.open("help");
    else if (this.shown?.key(event)) event.preventDefault();
    else if (event.code === "KeyK") this.kind("");
    else if (event.code === "KeyL") this.longest();
    else if (event.code === "KeyT") this.theme();
    else return;
    event.preventDefault();
  }

  /* focus: a key chose the panel, and the next keys are for it. */
  private go(panel: Panel, focus = false): void {
    this.props.store.set({ panel });
    if (focus) window.requestAnimationFrame(() => document.querySelector<HTMLElement>("main [tabindex='0']")?.focus());
  }

  /* The longest call of the selected function, then the next ones. */
  private longest(): void {
    const { store } = this.props;
    const { frame, call } = store.state;
    const calls = store.slowCalls(frame);
    if (!calls.length) {
      announce("select a function first");
      return;
    }
    const now = calls.findIndex(({ ref }) => call && ref.thread === call.thread && ref.depth === call.depth && ref.begin === call.begin);
    const next = (now + 1) % calls.length;
    store.showCall(calls[next].ref, calls[next].end);
    announce(`${["longest", "second", "third", "fourth", "fifth"][next]} call: ${time(calls[next].duration)}`);
  }

  private panel() {
    const { store } = this.props;
    let mine: Keyed | null = null;
    const keep = (element?: unknown) => {
      if (element) this.shown = mine = element as Keyed;
      else if (this.shown === mine) this.shown = null; /* the panel before may leave after the next one has come */
    };
    const { panel } = store.state;
    if (store.model.early && panel !== "overview" && panel !== "timeline") return <Early store={store} />;
    switch (panel) {
      case "timeline":
        return <Timeline store={store} ref={keep} />;
      case "flame":
        return <Flame store={store} ref={keep} />;
      case "tree":
        return <Tree store={store} />;
      case "functions":
        return <Functions store={store} ref={keep} />;
      case "source":
        return <Source store={store} ref={keep} />;
      case "threads":
        return <Threads store={store} />;
      default:
        return store.model.early ? <Timeline store={store} ref={keep} /> : <Overview store={store} />;
    }
  }

  /* How much of the recording the server has read. */
  private reading() {
    const { progress } = this.props.store;
    if (!progress || progress.stage === "whole") return null;
    return (
      <section class="reading" role="status" aria-label="Reading">
        <progress max="1" value={String(progress.done_share)} aria-label="Read" /> Reading the recording: {progress.stage === "sketch" ? "long calls are there, short ones where you zoom in; all others and the figures follow." : "all calls are there; the figures follow."}
      </section>
    );
  }

  /* How old what is shown is. */
  private live() {
    const { store } = this.props;
    const { progress } = store;
    if (!progress?.live) return null;
    if (!progress.in_progress) return <span class="live">The recording has ended. </span>;
    return (
      <span class="live">
        Live, data up to {time(Math.round(progress.data_age_ns / 1e8) * 1e8)} ago.{" "}
        <button
          class="link"
          aria-pressed={String(store.paused)}
          onClick={() => {
            store.paused = !store.paused;
            this.setState({});
          }}
        >
          {store.paused ? "Go on" : "Pause"}
        </button>{" "}
      </span>
    );
  }

  private top() {
    const { store } = this.props;
    const { meta } = store.model;
    return (
      <header>
        <h1 title={clean(meta.command)}>{cut(clean(title(meta.command)), 36) || "prof"}</h1>
        <nav aria-label="Panels">
          {PANELS.map((panel, i) => (
            <button aria-current={panel.id === store.state.panel ? "page" : undefined} title={`${panel.title} (${i + 1})`} onClick={() => this.go(panel.id)}>
              {panel.title}
            </button>
          ))}
        </nav>
        <span class="fill" />
        {meta.has_switches && (
          <label class="kind">
            Time{" "}
            <select value={store.state.kind} onChange={(event: Event) => this.kind((event.target as HTMLSelectElement).value as Kind)}>
              {KINDS.map((kind) => (
                <option value={kind} selected={kind === store.state.kind}>
                  {kind}
                </option>
              ))}
            </select>
          </label>
        )}
        <button onClick={() => this.open("search")} title="Search functions, sources, threads (/)">
          Search /
        </button>
        <button onClick={() => this.theme()} title="Dark or light (t)" aria-label="Dark or light">
          {"\u25d1"}
        </button>
        <button onClick={() => this.open("help")} title="Keys (?)" aria-label="Keys">
          ?
        </button>
      </header>
    );
  }

  render() {
    const { store } = this.props;
    const { meta } = store.model;
    return (
      <div class="app">
        {this.top()}
        {this.reading()}
        {store.fault && (
          <section class="banner" aria-label="Fault">
            {clean(store.fault)}
          </section>
        )}
        {meta.warning && (
          <section class="banner" aria-label="Warning">
            {meta.warning}; details: prof info
          </section>
        )}
        <main class={store.state.panel} aria-label={PANELS.find((panel) => panel.id === store.state.panel)?.title}>
          {this.panel()}
        </main>
        {this.state.dialog === "search" && <Search store={store} close={() => this.open("")} />}
        {this.state.dialog === "help" && <Help close={() => this.open("")} />}
        <footer class="foot">
          {this.live()}prof {meta.prof}; {time(store.model.end - store.model.begin)} on the timeline
        </footer>
      </div>
    );
  }
}
