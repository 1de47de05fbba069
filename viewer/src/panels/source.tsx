/* Source with the cost of each line: time of its own, time in calls, loops in the margin. */
import { Component, h } from "preact";
import { costsOf, FileCost, filesOf, hotLineOf, hottest, LineCost, loopFacts, loopsOf, ownTimeOf, ranOf } from "../data/costs";
import { LineLink } from "../parts/links";
import { linesOf, Piece } from "../parts/syntax";
import { copy } from "../parts/copy";
import { Figures, Model, SELF } from "../data/model";
import { RangeNote } from "../parts/range_note";
import { Store } from "../state";
import { Code } from "./code";
import { clean, each, plural, share, short, time } from "../text";

const ROW = 20; /* pixels */

interface Own {
  top: number;
  height: number;
}

export class Source extends Component<{ store: Store }, Own> {
  private box: HTMLElement | null = null;
  private observer: ResizeObserver | null = null;
  private files: FileCost[] = [];
  private model: Model | null = null; /* that the following is of */
  private figures: Figures | null = null;
  private file = -2;
  private text: Piece[][] = [];
  private first = 1;
  private costs = new Map<number, LineCost>();
  private outside = false; /* any line led there */
  private loops: number[] = [];
  private revealed = "";
  private texts = -1; /* row of `sources` */

  constructor(props: { store: Store }) {
    super(props);
    this.state = { top: 0, height: 600 };
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

  private load(file: number): void {
    const { store } = this.props;
    const { model } = store;
    const texts = file < 0 ? -1 : model.sources.file.indexOf(file);
    const figures = store.figures();
    if (this.file === file && this.texts === texts && this.model === model && this.figures === figures) return;
    if (this.texts !== texts) this.revealed = "";
    this.model = model;
    this.figures = figures;
    this.file = file;
    this.texts = texts;
    if (texts < 0) store.wantSource(file);
    this.costs = costsOf(figures, file);
    this.outside = figures.lines.outside_ns.some((ns) => ns > 0);
    this.loops = file < 0 ? [] : loopsOf(figures, file);
    this.first = this.texts >= 0 ? model.sources.first[this.texts] : 1;
    this.text = this.texts >= 0 ? linesOf(model.file(file), model.sources.text[this.texts]) : [];
  }

  private reveal(): void {
    const { state } = this.props.store;
    const what = `${this.file}:${state.line}`;
    if (!this.box || this.revealed === what) return;
    this.revealed = what;
    const line = state.line || this.hotLine() || 1;
    this.box.scrollTop = Math.max(0, (line - this.first) * ROW - this.box.clientHeight / 3);
  }

  private note(line: number): string {
    const { loops } = this.props.store.figures();
    return this.loops
      .filter((i) => loops.line[i] === line)
      .map((i) => {
        const parts = [loops.iterations[i] >= 0 ? `${short(loops.iterations[i])} iterations` : "loop"];
        if (loops.entries[i] > 1) parts.push(`${short(loops.entries[i])} entries`);
        if (loops.ns_per_iteration[i] >= 0) parts.push(`${each(loops.ns_per_iteration[i])} each`);
        return [...parts, ...loopFacts(loops.flags[i])].join(", ");
      })
      .join("; ");
  }

  /* The function whose instructions are beside: the selected one, else that of the line, else the hottest of the file. */
  private shownFunction(): number {
    const { state, model } = this.props.store;
    if (state.frame >= 0 && !model.frames.loop[state.frame]) return state.frame;
    const of = this.functionAt(state.line);
    if (of >= 0) return of;
    return model.functions.frame.find((frame) => model.frames.file[frame] === this.file) ?? model.functions.frame[0] ?? -1;
  }

  /* The function that a line belongs to: the last one of the file that begins before it, or one that it was inlined into. */
  private functionAt(line: number): number {
    const { model } = this.props.store;
    if (line <= 0) return -1;
    let best = model.codes.functionOf(this.file, line);
    if (best >= 0) return best;
    for (const frame of model.functions.frame)
      if (model.frames.file[frame] === this.file && model.frames.line[frame] <= line && (best < 0 || model.frames.line[frame] > model.frames.line[best])) best = frame;
    return best;
  }

  private choose(line: number): void {
    const { store } = this.props;
    const of = store.state.code ? this.functionAt(line) : -1;
    this.revealed = `${this.file}:${line}`; /* it is in view */
    store.move({ file: this.file, line, ...(of >= 0 ? { frame: of } : {}) });
  }

  key(event: KeyboardEvent): boolean {
    if (event.code !== "KeyI") return false;
    this.toggleCode();
    return true;
  }

  private toggleCode(): void {
    const { store } = this.props;
    const { line, code } = store.state;
    const of = this.functionAt(line || this.hotLine());
    store.set({ code: !code, file: this.file, ...(!code && of >= 0 ? { frame: of } : {}) });
  }

  private hotLine(): number {
    return hottest(this.costs.values(), 1)[0]?.line ?? 0;
  }

  private row(index: number, top: number) {
    const line = this.first + index;
    const cost = this.costs.get(line);
    const { state } = this.props.store;
    const heat = cost ? Math.min(1, Math.sqrt(ranOf(cost) / top)) : 0;
    const note = this.note(line);
    return (
      <div class={line === state.line ? "codeline chosen" : "codeline"} style={`top:${index * ROW}px`} key={String(line)} role="row" aria-rowindex={index + 1} onClick={() => this.choose(line)}>
        <span class="own" role="cell" style={heat > 0 ? `background:rgba(238,119,51,${(0.12 + heat * 0.55).toFixed(2)})` : ""} title={cost?.samples ? plural(cost.samples, "sample") : ""}>
          {cost && cost.self > 0 ? `${time(cost.self)} ${share(cost.share)}` : ""}
        </span>
        {this.outside && (
          <span class="in" role="cell">
            {cost && cost.outside > 0 ? time(cost.outside) : ""}
          </span>
        )}
        <span class="in" role="cell" title={cost?.calls ? plural(cost.calls, "call") : ""}>
          {cost && cost.inCalls > 0 ? time(cost.inCalls) : ""}
        </span>
        <span class="number" role="cell">
          {line}
        </span>
        <code role="cell">
          {(this.text[index] ?? []).map((piece) => (piece.kind ? <span class={`t-${piece.kind}`}>{clean2(piece.text)}</span> : clean2(piece.text)))}
          {note && <em class="loopnote">{note}</em>}
        </code>
      </div>
    );
  }

  private code() {
    const { model } = this.props.store;
    const { top, height } = this.state;
    const first = Math.max(0, Math.floor(top / ROW) - 10);
    const last = Math.min(this.text.length, Math.ceil((top + height) / ROW) + 10);
    const most = Math.max(1, ...[...this.costs.values()].map(ranOf));
    const rows = [];
    for (let i = first; i < last; i++) rows.push(this.row(i, most));
    return (
      <div class="code" tabIndex={0} role="table" aria-label={`Source ${model.file(this.file)}`} aria-rowcount={this.text.length}
        ref={(element?: Element) => void (this.box = (element as HTMLElement) ?? this.box)}
        onScroll={() => this.box && this.setState({ top: this.box.scrollTop })}
      >
        <div class="codehead" role="row">
          <span class="own" role="columnheader">Self (running)</span>
          {this.outside && (
            <span class="in" role="columnheader">Outside</span>
          )}
          <span class="in" role="columnheader">In calls</span>
          <span class="number" role="columnheader">Line</span>
          <span role="columnheader">Source</span>
        </div>
        <div role="rowgroup" class="body" style={`height:${Math.max(1, this.text.length * ROW)}px`}>
          {rows}
        </div>
      </div>
    );
  }

  /* Without its text: the costly lines alone. */
  private missing() {
    const { store } = this.props;
    if (this.file < 0) return <p class="empty">No line is known: compile with -g, and keep the program where it was recorded.</p>;
    return (
      <div class="empty">
        <p>The text of {clean(store.model.file(this.file))} {store.server ? "is not found" : "is not in this page: it was not found when the page was written, or it did not fit"}. If it lies elsewhere: prof view --path-map=OLD=NEW</p>
        <ul>
          {hottest(this.costs.values(), 30).map((cost) => (
            <li>
              line {cost.line}: {time(cost.self)} self, {cost.outside > 0 && `${time(cost.outside)} outside, `}{time(cost.inCalls)} in calls
            </li>
          ))}
        </ul>
      </div>
    );
  }

  private loopList() {
    const { store } = this.props;
    const { kind } = store.state;
    const { loops } = store.figures();
    const self = loops[SELF[kind]];
    const shown = this.loops.filter((i) => self[i] > 0).sort((a, b) => self[b] - self[a]).slice(0, 8);
    if (!shown.length) return null;
    return (
      <div>
        <h3>Loops</h3>
        <ul class="plain">
          {shown.map((i) => {
            const hot = hotLineOf(store.figures(), i);
            return (
              <li>
                <LineLink store={store} file={this.file} line={loops.line[i]} /> {ownTimeOf(store.figures(), i, kind)} self
                {hot && (
                  <span>
                    ; hottest line <LineLink store={store} file={this.file} line={hot.line} />
                  </span>
                )}
              </li>
            );
          })}
        </ul>
      </div>
    );
  }

  private beside() {
    const { store } = this.props;
    const unknown = this.costs.get(0);
    return (
      <aside aria-label="Lines" tabIndex={0}>
        <h2>Hot lines</h2>
        <ol class="plain">
          {hottest(this.costs.values(), 12).map((cost) => (
            <li>
              <LineLink store={store} file={this.file} line={cost.line} /> {cost.self > 0 && `${time(cost.self)} (${share(cost.share)})`} {cost.outside > 0 && `${time(cost.outside)} outside`} {ranOf(cost) === 0 && `${time(cost.inCalls)} in calls`}{" "}
              <span class="quiet">{clean(cost.function)}</span>
            </li>
          ))}
        </ol>
        {unknown && unknown.waiting > 0 && <p class="quiet">{time(unknown.waiting)} of waiting belong to no known line.</p>}
        {this.loopList()}
        {this.texts >= 0 && (
          <p class="buttons">
            <button onClick={() => copy(store.model.sources.text[this.texts])}>Copy the source</button>
          </p>
        )}
        <p class="quiet">Self: running time by samples. {this.outside && "Outside: the same in libraries and the kernel, because of the line."} In calls: time in instrumented functions that the line called.</p>
      </aside>
    );
  }

  render() {
    const { store } = this.props;
    const { state, model } = store;
    if (this.model !== model || this.figures !== store.figures()) this.files = filesOf(store.figures(), model);
    this.load(state.file >= 0 ? state.file : (this.files[0]?.file ?? -1));
    const changed = this.texts >= 0 && model.sources.changed[this.texts];
    return (
      <div class={state.code ? "split withcode" : "split"}>
        <div class="main">
          <RangeNote store={store} whole={!store.exact()} />
          <div class="controls">
            <label>
              File{" "}
              <select value={String(this.file)} onChange={(event: Event) => store.showSource(Number((event.target as HTMLSelectElement).value), 0)}>
                {this.files.slice(0, 500).map(({ file, self, source }) => (
                  <option value={String(file)} selected={file === this.file}>
                    {clean(model.file(file))} {self > 0 ? time(self) : ""} {source < 0 && !store.server ? "(no text)" : ""}
                  </option>
                ))}
                {!this.files.some((cost) => cost.file === this.file) && this.file >= 0 && <option value={String(this.file)} selected>{clean(model.file(this.file))}</option>}
              </select>
            </label>
            <button aria-pressed={String(state.code)} onClick={() => this.toggleCode()} title="Instructions beside the source (i)">
              Instructions (i)
            </button>
            {changed ? <span class="warn">changed since the program was built: lines may have moved</span> : null}
          </div>
          {this.text.length ? this.code() : this.missing()}
        </div>
        {state.code ? <Code store={store} frame={this.shownFunction()} file={this.file} /> : this.beside()}
      </div>
    );
  }
}

/* Tabs stay; other controls and marks of direction do not. */
function clean2(text: string): string {
  return text.split("\t").map(clean).join("\t");
}
