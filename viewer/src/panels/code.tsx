/* Beside the source: the instructions of a function with the cost of each, and what was inlined there. */
import { Component, h } from "preact";
import { hottestOf, Instruction, isFrom, Place, placeIn } from "../data/code";
import { LineLink } from "../parts/links";
import { csv } from "../text";
import { copy } from "../parts/copy";
import { Store } from "../state";
import { about, clean, count, cut, share, shortName, time } from "../text";

const ROW = 20; /* pixels */
const MOST_FUNCTIONS = 200; /* to choose from */

interface Props {
  store: Store;
  frame: number;
  file: number; /* that is beside it */
}

interface Own {
  top: number;
  height: number;
  at: number; /* the chosen instruction; -1: none */
}

/* A row is an instruction, or a step of the chain below one. */
type Line = { at: number; place?: Place };

export class Code extends Component<Props, Own> {
  private box: HTMLElement | null = null;
  private observer: ResizeObserver | null = null;
  private rows: Instruction[] | undefined;
  private open = new Set<number>();
  private lines: Line[] = [];
  private revealed = "";

  constructor(props: Props) {
    super(props);
    this.state = { top: 0, height: 600, at: -1 };
  }

  componentDidMount(): void {
    const measure = () => this.box && this.setState({ height: this.box.clientHeight });
    this.observer = new ResizeObserver(measure);
    if (this.box) this.observer.observe(this.box);
    measure();
    this.reveal();
  }

  componentWillUnmount(): void {
    this.observer?.disconnect();
  }

  componentDidUpdate(): void {
    this.reveal();
  }

  private load(): void {
    const { store, frame } = this.props;
    const rows = store.model.codes.get(frame);
    if (!rows) store.wantCode(frame);
    if (rows === this.rows) return;
    this.rows = rows;
    this.open.clear();
    this.state.at = -1;
    this.list();
  }

  private list(): void {
    this.lines = [];
    (this.rows ?? []).forEach((row, at) => {
      this.lines.push({ at });
      if (this.open.has(at)) for (const place of row.chain.slice(1)) this.lines.push({ at, place });
    });
  }

  /* Scrolls to the instructions of the chosen line, else to the hottest one. */
  private reveal(): void {
    const { store, frame, file } = this.props;
    const { line } = store.state;
    const what = `${frame} ${file}:${line} ${this.rows?.length}`;
    if (!this.box || !this.rows?.length || this.revealed === what) return;
    this.revealed = what;
    if (this.state.at >= 0 && isFrom(this.rows[this.state.at], file, line)) return; /* it chose the line */
    const of = this.rows.map((row, at) => ({ row, at })).filter(({ row }) => isFrom(row, file, line));
    const best = of.length ? of[hottestOf(of.map(({ row }) => row))].at : hottestOf(this.rows);
    this.show(best);
  }

  private show(at: number): void {
    const line = this.lines.findIndex((one) => one.at === at);
    if (this.box) this.box.scrollTop = Math.max(0, line * ROW - this.box.clientHeight / 3);
  }

  private choose(at: number): void {
    const { store, file, frame } = this.props;
    const place = this.rows && placeIn(this.rows[at], file);
    this.setState({ at });
    if (place) store.move({ file, line: place.line, frame });
  }

  private toggle(at: number): void {
    if (!this.open.delete(at)) this.open.add(at);
    this.list();
    this.setState({});
  }

  private walk(event: KeyboardEvent): void {
    const { at } = this.state;
    const step = { ArrowDown: 1, ArrowUp: -1, PageDown: 20, PageUp: -20 }[event.key];
    if (!this.rows?.length) return;
    if (step) {
      const to = Math.min(Math.max(at < 0 ? hottestOf(this.rows) : at + step, 0), this.rows.length - 1);
      this.choose(to);
      const y = this.lines.findIndex((one) => one.at === to) * ROW;
      if (this.box && (y < this.box.scrollTop || y + 2 * ROW > this.box.scrollTop + this.box.clientHeight)) this.show(to);
    } else if (at >= 0 && this.rows[at].chain.length > 1 && (event.key === "Enter" || event.key === "ArrowRight" || event.key === "ArrowLeft")) this.toggle(at);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  /* file:line where it changes; a button where it was inlined. */
  private from(at: number) {
    const { store, file } = this.props;
    const rows = this.rows ?? [];
    const [first] = rows[at].chain;
    const before = at > 0 ? rows[at - 1].chain[0] : undefined;
    const inlined = rows[at].chain.length > 1;
    if (!first || (before && before.file === first.file && before.line === first.line && !this.open.has(at - 1))) return null;
    const path = store.model.file(first.file);
    const name = first.file === file ? `${first.line}` : `${path.slice(path.lastIndexOf("/") + 1)}:${first.line}`;
    if (!inlined) return name;
    return (
      <button
        class="twist"
        tabIndex={-1}
        aria-expanded={String(this.open.has(at))}
        title={rows[at].chain.map((place) => `${clean(place.function)} ${store.model.file(place.file)}:${place.line}`).join("\ninlined into ")}
        onClick={(event: Event) => {
          event.stopPropagation();
          this.toggle(at);
        }}
      >
        {this.open.has(at) ? "\u25be" : "\u25b8"} {name}
      </button>
    );
  }

  private step(line: Line, index: number) {
    const { store } = this.props;
    const place = line.place as Place;
    return (
      <div class="codeline step" style={`top:${index * ROW}px`} key={`${index}`} role="row">
        <span role="cell">
          inlined into <b>{cut(clean(shortName(place.function)), 40)}</b> at <LineLink store={store} file={place.file} line={place.line} />
        </span>
      </div>
    );
  }

  private row(index: number, most: number) {
    const { store, file } = this.props;
    const line = this.lines[index];
    if (line.place) return this.step(line, index);
    const row = (this.rows ?? [])[line.at];
    const heat = row.share > 0 ? Math.min(1, Math.sqrt(row.share / most)) : 0;
    const on = store.state.line > 0 && isFrom(row, file, store.state.line);
    return (
      <div class={`codeline${line.at === this.state.at ? " chosen" : on ? " on" : ""}`} style={`top:${index * ROW}px`} key={`${index}`} role="row" aria-rowindex={index + 1} onClick={() => this.choose(line.at)}>
        <span class="cost" role="cell" style={heat > 0 ? `background:rgba(238,119,51,${(0.12 + heat * 0.55).toFixed(2)})` : ""} title={row.samples ? `${count(row.samples)} samples` : ""}>
          {row.share > 0 ? share(row.share) : row.callsNs > 0 ? about(row.estimated, time(row.callsNs)) : ""}
        </span>
        <span class="address" role="cell">
          {row.address.toString(16)}
        </span>
        <span class="from" role="cell">
          {this.from(line.at)}
        </span>
        <code role="cell">
          {clean(row.text)}
          {row.probe && <em class="loopnote">probe: {row.probe}</em>}
        </code>
      </div>
    );
  }

  private table() {
    const { store, frame } = this.props;
    const { top, height } = this.state;
    const first = Math.max(0, Math.floor(top / ROW) - 10);
    const last = Math.min(this.lines.length, Math.ceil((top + height) / ROW) + 10);
    const most = Math.max(1e-9, ...(this.rows ?? []).map((row) => row.share));
    const shown = [];
    for (let i = first; i < last; i++) shown.push(this.row(i, most));
    return (
      <div class="code asm" tabIndex={0} role="table" aria-label={`Instructions of ${clean(store.model.name(frame))}`} aria-rowcount={this.lines.length}
        ref={(element?: Element) => {
          const box = (element as HTMLElement) ?? null;
          if (box && box !== this.box) this.observer?.observe(box);
          this.box = box ?? this.box;
        }}
        onScroll={() => this.box && this.setState({ top: this.box.scrollTop })}
        onKeyDown={(event: KeyboardEvent) => this.walk(event)}
      >
        <div class="codehead" role="row">
          <span class="cost" role="columnheader" title="of all samples; else time in calls">Share</span>
          <span class="address" role="columnheader">Address</span>
          <span class="from" role="columnheader">Line</span>
          <span role="columnheader">Instruction</span>
        </div>
        <div role="rowgroup" class="body" style={`height:${Math.max(1, this.lines.length * ROW)}px`}>
          {shown}
        </div>
      </div>
    );
  }

  private missing() {
    const { store, frame } = this.props;
    const why = store.codeFault(frame);
    if (store.server) return <p class="empty">{why ? clean(why) : "The instructions are being read."}</p>;
    return (
      <p class="empty">
        This page has the instructions of the hottest functions only. All: prof view without -o, or <code>prof annotate --asm {clean(store.model.name(frame))}</code>
      </p>
    );
  }

  /* Functions with self time, the most first. */
  private choices(): number[] {
    const { model } = this.props.store;
    return model.functions.frame.filter((frame) => !model.frames.loop[frame] && (this.props.store.server || model.codes.get(frame))).slice(0, MOST_FUNCTIONS);
  }

  private copyAll(): void {
    const { model } = this.props.store;
    const lines = (this.rows ?? []).map((row) => [row.address.toString(16), row.text, row.samples, row.share, row.calls, row.callsNs, model.file(row.chain[0]?.file ?? -1), row.chain[0]?.line ?? 0]);
    copy(csv([["address", "instruction", "samples", "share", "calls", "calls_ns", "file", "line"], ...lines]));
  }

  render() {
    const { store, frame } = this.props;
    const { model } = store;
    this.load();
    const choices = this.choices();
    const sum = (this.rows ?? []).reduce((all, row) => all + row.share, 0);
    return (
      <section class="asmpane" aria-label="Instructions">
        <div class="controls">
          <label>
            Function{" "}
            <select value={String(frame)} onChange={(event: Event) => store.showCode(Number((event.target as HTMLSelectElement).value))}>
              {choices.map((one) => (
                <option value={String(one)} selected={one === frame}>
                  {cut(clean(shortName(model.name(one))), 40)}
                </option>
              ))}
              {!choices.includes(frame) && <option value={String(frame)} selected>{cut(clean(shortName(model.name(frame))), 40)}</option>}
            </select>
          </label>
          {this.rows && (
            <span class="quiet">
              {count(this.rows.length)} instructions, {share(sum)} of samples{store.state.range ? ", of the whole recording" : ""}
            </span>
          )}
          {this.rows && <button onClick={() => this.copyAll()}>Copy CSV</button>}
        </div>
        {this.rows ? this.table() : this.missing()}
      </section>
    );
  }
}
