/* The flamegraph of all threads or one: callers above callees, or reversed.  A click zooms; arrow keys walk. */
import { Component, h } from "preact";
import { ABOUT, callees, Node, pathOf, reversed } from "../data/trees";
import { FLAME_ROW, levelsOf, nodeName, paintFlame, paintLegend, partsOf, place, Placed, placedAt } from "../draw/flame";
import { changeColor, CHANGES, themed } from "../draw/color";
import { CanvasSurface, SvgSurface } from "../draw/surface";
import { announce, save } from "../parts/copy";
import { RangeNote } from "../parts/range_note";
import { Store } from "../state";
import { about, clean, count, cut, share, time } from "../text";

interface Own {
  width: number;
  height: number;
  scroll: number;
  hover: Node | null;
  chosen: Node | null;
}

export class Flame extends Component<{ store: Store }, Own> {
  private box: HTMLElement | null = null;
  private observer: ResizeObserver | null = null;
  private surface: CanvasSurface | null = null;
  private placed: Placed[] = [];
  private tree: Node | null = null;
  private treeOf: Node | null = null;
  private isReversed = false;

  constructor(props: { store: Store }) {
    super(props);
    this.state = { width: 800, height: 400, scroll: 0, hover: null, chosen: null };
  }

  componentDidMount(): void {
    const measure = () => this.box && this.setState({ width: this.box.clientWidth, height: this.box.clientHeight });
    this.observer = new ResizeObserver(measure);
    this.observer.observe(this.box as HTMLElement);
    measure();
  }

  componentWillUnmount(): void {
    this.observer?.disconnect();
  }

  componentDidUpdate(): void {
    this.paint();
  }

  /* The tree that is shown; made anew only for another one. */
  private root(): Node {
    const { store } = this.props;
    const changes = store.changes();
    const tree = changes ?? store.launches() ?? store.tree();
    if (!this.tree || this.treeOf !== tree || this.isReversed !== store.state.reverse) {
      this.tree = store.state.reverse && !changes ? reversed(tree) : tree;
      this.treeOf = tree;
      this.isReversed = store.state.reverse;
      this.state.chosen = this.state.hover = null;
    }
    return this.tree;
  }

  /* The frame that the picture is zoomed to, in a new tree too: as far as it has the path. */
  private top(): Node {
    let node = this.root();
    for (const frame of this.props.store.state.path) {
      const child = node.children.find((one) => one.frame === frame);
      if (!child) break;
      node = child;
    }
    return node;
  }

  /* Of a comparison: the time of the whole before; -1: it is none. */
  private before(): number {
    return this.root().old?.total ?? -1;
  }

  private look(height: number) {
    const { state } = this.props.store;
    return { scroll: height > 0 ? this.state.scroll : 0, height: height || this.state.height, all: this.root().total, chosen: this.state.chosen, frame: state.frame, before: this.before() };
  }

  private paint(): void {
    if (!this.surface) return;
    this.surface.begin(this.state.width, this.state.height, themed("back"));
    paintFlame(this.props.store.model, this.surface, this.placed, this.look(this.state.height));
  }

  private at(event: MouseEvent): Placed | null {
    const at = this.surface?.point(event);
    return at ? placedAt(this.placed, at.x, at.y + this.state.scroll) : null;
  }

  private choose(node: Node, zoom: boolean): void {
    this.setState({ chosen: node.frame < 0 ? null : node });
    const { store } = this.props;
    if (zoom) store.set({ frame: node.frame, path: pathOf(node).map((one) => one.frame) });
    else store.move({ frame: node.frame });
    announce(`${clean(nodeName(store.model, node))}, ${time(node.total)}, ${share(node.total / Math.max(this.root().total, 1))}`, false);
  }

  key(event: KeyboardEvent): boolean {
    const here = event.target === this.box || event.target === document.body;
    const now = this.state.chosen ?? this.top();
    const beside = now.parent?.children ?? [];
    const at = beside.indexOf(now);
    const keys: Record<string, () => Node | null | undefined> = {
      ArrowDown: () => now.children[0],
      ArrowUp: () => now.parent,
      ArrowRight: () => beside[at + 1],
      ArrowLeft: () => beside[at - 1],
    };
    if (keys[event.code] && here) {
      const to = keys[event.code]();
      if (to) this.choose(to, false);
    } else if (event.code === "Enter" && event.target === this.box) this.choose(now, true);
    else if (event.code === "Escape") this.choose(this.top().parent ?? this.root(), true);
    else if (event.code === "Digit0") this.choose(this.root(), true);
    else if (event.code === "KeyR") this.reverse();
    else if (event.code === "KeyG" && this.props.store.model.gpuTree) this.gpu();
    else if (event.code === "KeyB" && this.props.store.model.old) this.compare();
    else return false;
    return true;
  }

  private reverse(): void {
    const { store } = this.props;
    store.set({ reverse: !store.state.reverse, path: [] }); /* paths are others */
  }

  private gpu(): void {
    const { store } = this.props;
    store.set({ gpu: !store.state.gpu, path: [] });
  }

  private compare(): void {
    const { store } = this.props;
    store.set({ compare: !store.state.compare, path: [] });
  }

  private saveAs(kind: "svg" | "png"): void {
    if (kind === "png") {
      this.surface?.canvas.toBlob((blob) => blob && save(blob, "flame.png"));
      return;
    }
    const height = levelsOf(this.placed) * FLAME_ROW;
    const legend = this.before() < 0 ? 0 : FLAME_ROW;
    const svg = new SvgSurface(this.state.width, height + legend, themed("back"));
    paintFlame(this.props.store.model, svg, this.placed, { ...this.look(0), height });
    if (legend) paintLegend(svg, height);
    save(svg.finish(), "flame.svg");
  }

  private controls() {
    const { store } = this.props;
    const { state, model } = store;
    const withTree = model.threadTree ? model.threads.name.map((_, thread) => thread).filter((thread) => model.threads.total_ns[thread] > 0) : [];
    withTree.sort((a, b) => model.threads.total_ns[b] - model.threads.total_ns[a]);
    return (
      <div class="controls">
        {!state.gpu && <label>
          Threads{" "}
          <select value={String(state.thread)} onChange={(event: Event) => store.set({ thread: Number((event.target as HTMLSelectElement).value) })}>
            <option value="-1">all together</option>
            {withTree.slice(0, 1000).map((thread) => (
              <option value={String(thread)} selected={thread === state.thread}>
                {clean(model.threadName(thread))}
              </option>
            ))}
          </select>
        </label>}
        <label>
          <input type="checkbox" checked={state.reverse} onChange={() => this.reverse()} /> Reversed: functions by self time, callers below (r)
        </label>
        {model.gpuTree && (
          <label>
            <input type="checkbox" checked={state.gpu} onChange={() => this.gpu()} /> GPU time, below the calls that launched it (g)
          </label>
        )}
        {model.old && !state.gpu && (
          <label>
            <input type="checkbox" checked={state.compare} onChange={() => this.compare()} /> Change since {cut(clean(model.old.name()), 30)} (b)
          </label>
        )}
        <button onClick={() => this.choose(this.root(), true)}>Whole picture (0)</button>
        <button onClick={() => this.saveAs("png")}>Save PNG</button>
        <button onClick={() => this.saveAs("svg")}>Save SVG</button>
      </div>
    );
  }

  /* What the frames of the selected function have together. */
  private marked(all: number): string {
    const { model, state } = this.props.store;
    if (state.frame < 0) return "";
    const of = state.reverse ? this.root().children.find((child) => child.frame === state.frame) : callees(this.root(), state.frame);
    return of && of.total > 0 ? `Marked: ${cut(clean(model.name(state.frame)), 60)}, ${time(of.total)} (${share(of.total / all)}). ` : "";
  }

  /* What the colours mean; or why they are those of functions. */
  private legend() {
    const { store } = this.props;
    if (!store.compared() || store.state.gpu) return null;
    if (this.before() < 0) return <p class="quiet note">Changes are of all threads and the whole time: a range or a thread is shown as it is.</p>;
    return (
      <p class="changes">
        {CHANGES.map(([change, word]) => (
          <span style={`background:${changeColor(change)}`}>{word}</span>
        ))}{" "}
        width: {store.kindCompared()} time now; colour: change of its share
      </p>
    );
  }

  /* "1.20 ms, 12.0%, was 1.00 ms, 10.5%: +1.5 points; self 3.0%, was 2.0%" */
  private changed(node: Node) {
    const all = this.root().total;
    const [before, now] = partsOf(node, all, this.before());
    const was = node.old;
    if (!was) return null;
    if (node.label) return <span>: {share(node.total / Math.max(all, 1))} of the time before, in calls that are no longer there; their callers keep their colours. </span>;
    if (now <= 0) return <span>: {about(was.about & ABOUT.total, time(was.total))} ({share(before)}), only before. </span>;
    const mark = (part: number) => `${part >= 0 ? "+" : ""}${(part * 100).toFixed(1)}`;
    return (
      <span>
        {" "}
        {about(node.about & ABOUT.total, time(node.nowTotal ?? node.total))} ({share(now)}), {was.total > 0 ? `was ${about(was.about & ABOUT.total, time(was.total))} (${share(before)}): ${mark(now - before)} points` : "only now"}; {about(node.about & ABOUT.calls, count(node.calls))} calls
        {was.total > 0 ? `, were ${about(was.about & ABOUT.calls, count(was.calls))}` : ""}.{" "}
      </span>
    );
  }

  private line() {
    const { store } = this.props;
    const node = this.state.hover ?? this.state.chosen ?? this.top();
    const all = Math.max(this.root().total, 1);
    if (node.frame < 0 && !node.label)
      return (
        <p class="line">
          {time(node.total)} {store.state.gpu ? "on GPUs, of all works, by the call that launched them" : `${this.before() < 0 ? store.kindShown() : `${store.kindCompared()} now, ${time(this.before())} before`}, in instrumented functions`}. {this.marked(all)}Click a frame to zoom in; Escape goes back.
        </p>
      );
    return (
      <p class="line">
        <b>{clean(nodeName(store.model, node))}</b>
        {node.old ? (
          this.changed(node)
        ) : (
          <span>
            {" "}
            {about(node.about & ABOUT.total, time(node.total))} ({share(node.total / all)}), self {about(node.about & ABOUT.self, time(node.self))}, {about(node.about & ABOUT.calls, count(node.calls))} {store.state.gpu ? "works" : "calls"}; path of {pathOf(node).length}.{" "}
          </span>
        )}
        {store.model.rowOf(node.frame) >= 0 && (
          <button class="link" onClick={() => store.showFunction(node.frame)}>
            all its calls
          </button>
        )}{" "}
        {(store.model.frames.file[node.frame] ?? -1) >= 0 && (
          <button class="link" onClick={() => store.showSourceOf(node.frame)}>
            source
          </button>
        )}
      </p>
    );
  }

  render() {
    const { state } = this.props.store;
    this.placed = place(this.top(), this.state.width);
    const levels = levelsOf(this.placed);
    const hidden = this.props.store.model.meta.left_out[state.gpu ? "gpu_tree_paths" : "tree_paths"];
    return (
      <div class="main">
        {state.gpu && state.range ? <RangeNote store={this.props.store} whole={true} /> : <RangeNote store={this.props.store} />}
        {this.controls()}
        {this.legend()}
        <div
          class="flame"
          tabIndex={0}
          role="group"
          aria-label="Flamegraph. Arrow keys walk frames, Enter zooms in, Escape goes back"
          ref={(element?: Element) => void (this.box = (element as HTMLElement) ?? this.box)}
          onScroll={() => this.box && this.setState({ scroll: this.box.scrollTop })}
        >
          <div class="long" style={`height:${levels * FLAME_ROW}px`}>
            <canvas
              aria-hidden="true"
              style={`width:${this.state.width}px;height:${this.state.height}px`}
              ref={(element?: Element) => void (element && (this.surface ??= new CanvasSurface(element as HTMLCanvasElement)))}
              onClick={(event: MouseEvent) => {
                const found = this.at(event);
                if (found) this.choose(found.node, true);
              }}
              onMouseMove={(event: MouseEvent) => {
                const found = this.at(event);
                if ((found?.node ?? null) !== this.state.hover) this.setState({ hover: found?.node ?? null });
              }}
              onMouseLeave={() => this.setState({ hover: null })}
            />
          </div>
        </div>
        {this.line()}
        {hidden > 0 && <p class="quiet note">{count(hidden)} small call paths are left out; {state.gpu ? "prof flame --gpu" : "prof tree --min-share=0"} has them.</p>}
      </div>
    );
  }
}
