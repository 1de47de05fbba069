/* Threads and their calls in time.  Drag selects a range, Ctrl and the wheel zoom, w a s d zoom and move, arrows walk calls. */
import { Component, h } from "preact";
import { Call, firstAbove, Lanes, STATES } from "../data/lanes";
import { AXIS, hit, Hit, paintTimeline, Row, rowsOf, View } from "../draw/timeline";
import { CanvasSurface, SvgSurface } from "../draw/surface";
import { themed } from "../draw/color";
import { Minimap } from "../parts/minimap";
import { announce, save } from "../parts/copy";
import { itemName, lasts, trackName } from "../data/points";
import { Model } from "../data/model";
import { isStale, Refused, Server } from "../data/server";
import { CallRef, Store } from "../state";
import { clean, count, plural, time } from "../text";
import { TimelineDetails } from "./timeline_details";
import { valuesText } from "./timeline_values";

const GUTTER = 190; /* pixels, for names of threads */
const LEAST = 20; /* ns in view */
const NO_FUNCTION = 400; /* the server's status: it is a kernel or copy of a GPU */
const FAR = 400; /* a call is at least this part of the view when it was looked for */

interface Own {
  width: number;
  height: number;
  scroll: number;
  tip: { hit: Hit; model: Model } | null;
  tipX: number;
  tipY: number;
}

export class Timeline extends Component<{ store: Store }, Own> {
  private box: HTMLElement | null = null;
  private surface: CanvasSurface | null = null;
  private rows: Row[] = [];
  private drag: { x: number; at: number; moved: boolean } | null = null;
  private observer: ResizeObserver | null = null;
  private revealed: unknown = null;
  private looking: AbortController | null = null; /* for the next call */
  private readonly onWheel = (event: Event) => this.wheel(event as WheelEvent);

  constructor(props: { store: Store }) {
    super(props);
    this.state = { width: 800, height: 400, scroll: 0, tip: null, tipX: 0, tipY: 0 };
  }

  componentDidMount(): void {
    this.observer = new ResizeObserver(() => this.measure());
    this.observer.observe(this.box as HTMLElement);
    this.box?.addEventListener("wheel", this.onWheel, { passive: false });
    this.measure();
    this.componentDidUpdate();
  }

  componentWillUnmount(): void {
    this.observer?.disconnect();
    this.box?.removeEventListener("wheel", this.onWheel);
  }

  componentDidUpdate(): void {
    const { store } = this.props;
    store.look(store.state.t0, store.state.t1, this.state.width);
    this.reveal();
    this.paint();
  }

  private measure(): void {
    if (!this.box) return;
    const width = Math.max(100, this.box.clientWidth - GUTTER);
    const height = this.box.clientHeight;
    if (width !== this.state.width || height !== this.state.height) this.setState({ width, height });
  }

  private view(): View {
    const { state } = this.props.store;
    const call = this.props.store.callOf(state.call);
    const { t0, t1, range, frame } = state;
    const item = state.item && this.props.store.itemOf(state.item);
    const lanes = this.props.store.lanes(t0, t1);
    return { lanes, t0, t1, width: this.state.width, height: this.state.height, scroll: this.state.scroll, rows: this.rows, call, frame, range, item: item && state.item && { track: state.item.track, at: item.at }, wait: this.props.store.waitOf(state.wait) };
  }

  private paint(): void {
    if (!this.surface) return;
    this.surface.begin(this.state.width, this.state.height, themed("back"));
    paintTimeline(this.props.store.model, this.surface, this.view());
  }

  /* Scrolls to the selected call or wait, once for each. */
  private reveal(): void {
    const { call, wait } = this.props.store.state;
    const ref = call ?? wait;
    if (this.revealed === ref || !this.box) return;
    this.revealed = ref;
    const row = ref && this.rows.find((one) => one.thread === ref.thread);
    if (!row || !ref) return;
    const y = row.y + (row.open && call ? 10 + call.depth * 18 : 0);
    if (y < this.box.scrollTop || y + 40 > this.box.scrollTop + this.box.clientHeight - AXIS) this.box.scrollTop = Math.max(0, y - this.box.clientHeight / 3);
  }

  private zoom(factor: number, at: number): void {
    const { store } = this.props;
    const { t0, t1 } = store.state;
    const span = Math.min(Math.max((t1 - t0) * factor, LEAST), (store.model.end - store.model.begin) * 1.2);
    const part = (at - t0) / (t1 - t0);
    this.look(at - part * span, at + (1 - part) * span);
  }

  private look(t0: number, t1: number): void {
    const { begin, end } = this.props.store.model;
    const span = t1 - t0;
    const room = (end - begin) * 0.1;
    const from = Math.min(Math.max(t0, begin - room), Math.max(end + room - span, begin - room));
    this.props.store.move({ t0: from, t1: from + span });
  }

  private wheel(event: WheelEvent): void {
    const { t0, t1 } = this.props.store.state;
    const each = (t1 - t0) / this.state.width;
    if (event.ctrlKey || event.metaKey) this.zoom(Math.exp(event.deltaY * (event.deltaMode ? 0.05 : 0.002)), t0 + this.x(event) * each);
    else if (event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY)) {
      const by = (event.deltaX || event.deltaY) * each;
      this.look(t0 + by, t1 + by);
    } else return;
    event.preventDefault();
  }

  private x(event: MouseEvent): number {
    return this.surface?.point(event).x ?? 0;
  }

  private hitOf(event: MouseEvent): Hit | null {
    const at = this.surface?.point(event);
    return at ? hit(this.props.store.model, this.view(), at.x, at.y) : null;
  }

  private timeAt(event: MouseEvent): number {
    const { t0, t1 } = this.props.store.state;
    return t0 + (this.x(event) * (t1 - t0)) / this.state.width;
  }

  private press(event: MouseEvent): void {
    if (event.button !== 0) return;
    this.drag = { x: event.clientX, at: this.timeAt(event), moved: false };
    this.hide();
  }

  private hide(): void {
    this.props.store.values.stop("hovered");
    this.setState({ tip: null });
  }

  private hover(event: MouseEvent): void {
    if (this.drag && event.buttons & 1) {
      this.drag.moved = this.drag.moved || Math.abs(event.clientX - this.drag.x) > 4;
      const now = this.timeAt(event);
      if (this.drag.moved) this.props.store.move({ range: [Math.min(now, this.drag.at), Math.max(now, this.drag.at)] });
      return;
    }
    const found = this.hitOf(event);
    const at = this.surface?.point(event) ?? { x: 0, y: 0 };
    if (found) this.setState({ tip: { hit: found, model: this.props.store.model }, tipX: at.x + GUTTER, tipY: at.y });
    else if (this.state.tip) this.hide();
  }

  private tipOf(found: Hit): string {
    const { model } = this.props.store;
    if (found.item) {
      const { at } = found.item;
      const track = model.tracks[found.item.track];
      const what = lasts(track) ? time(track.end[at] - track.begin[at]) : track.kind === "mark" ? "" : `${track.value[at]} ${clean(track.unit)}`;
      return `${clean(itemName(track, at))}\n${what ? `${what}, ` : ""}at ${time(track.begin[at])}`;
    }
    if (found.wait) return `waits ${time(found.wait.end - found.wait.begin)} for ${clean(found.wait.name)}`;
    if (found.call) {
      const { lane, at } = found.call;
      const values = this.props.store.values.of({ thread: lane.thread, depth: lane.depth, begin: lane.begin[at] }, "hovered");
      return `${clean(model.name(lane.frame[at]))}\n${values ? `${valuesText(values)}\n` : ""}${time(lane.end[at] - lane.begin[at])}, begins at ${time(lane.begin[at])}`;
    }
    if (!found.cell) return "";
    const { lane, at } = found.cell;
    return `${plural(lane.cellCalls[at], "call")} within ${time(this.view().lanes.step)}, ${time(lane.cover[at])} in all\nmostly ${clean(model.name(lane.cellFrame[at]))}`;
  }

  private release(event: MouseEvent): void {
    const drag = this.drag;
    this.drag = null;
    if (!drag || drag.moved) return;
    const { store } = this.props;
    const found = this.hitOf(event);
    if (found?.wait) store.showWait(found.wait, false);
    else if (found?.call) this.select(found.call);
    else if (found?.item) store.showItem({ track: found.item.track, begin: store.model.tracks[found.item.track].begin[found.item.at] }, false);
    else if (found?.cell) store.set({ frame: found.cell.lane.cellFrame[found.cell.at], call: null, item: null, wait: null });
    else store.set({ call: null, item: null, wait: null, range: null });
  }

  private select(call: Call): void {
    const { lane, at } = call;
    const { store } = this.props;
    store.set({ call: { thread: lane.thread, depth: lane.depth, begin: lane.begin[at], frame: lane.frame[at] }, item: null, frame: lane.frame[at] });
    const { t0, t1 } = store.state;
    const span = t1 - t0;
    if (lane.end[at] < t0 || lane.begin[at] > t1) this.look(lane.begin[at] - span / 3, lane.begin[at] + (span * 2) / 3);
    announce(`${clean(store.model.name(lane.frame[at]))}, ${time(lane.end[at] - lane.begin[at])}`, false);
  }

  private fit(call: Call): void {
    const room = Math.max((call.lane.end[call.at] - call.lane.begin[call.at]) * 0.1, LEAST / 4);
    this.look(call.lane.begin[call.at] - room, call.lane.end[call.at] + room);
  }

  private toggle(thread: number): void {
    const { open } = this.props.store.state;
    this.props.store.set({ open: open.includes(thread) ? open.filter((one) => one !== thread) : [...open, thread] });
  }

  /* From the selected call to its neighbour, caller or callee; from nothing to the first call in view. */
  private walk(key: string): void {
    const { call, t0, lanes } = this.view();
    if (!call) {
      const threads = this.rows.filter((one) => one.track < 0);
      const row = threads.find((one) => one.open) ?? threads[0];
      const lane = row && lanes.lane(row.thread, 0);
      const at = lane ? Math.min(firstAbove(lane.end, t0), lane.begin.length - 1) : -1;
      if (lane && at >= 0) this.select({ lane, at });
      return;
    }
    const { lane, at } = call;
    const middle = (lane.begin[at] + lane.end[at]) / 2;
    if (key === "ArrowRight" && at + 1 < lane.begin.length) this.select({ lane, at: at + 1 });
    if (key === "ArrowLeft" && at > 0) this.select({ lane, at: at - 1 });
    const outer = key === "ArrowUp" ? lanes.callAt(lane.thread, lane.depth - 1, middle) : null;
    if (outer) this.select(outer);
    const inner = key === "ArrowDown" ? lanes.lane(lane.thread, lane.depth + 1) : undefined;
    const first = inner ? firstAbove(inner.begin, lane.begin[at] - 1) : 0;
    if (inner && first < inner.begin.length && inner.end[first] <= lane.end[at]) this.select({ lane: inner, at: first });
  }

  /* The next or previous call of the selected function, in any thread: the server knows short ones too. */
  private occurrence(forward: boolean): void {
    const { store } = this.props;
    const { model, server } = store;
    if (store.state.item) {
      this.nextItem(forward ? 1 : -1);
      return;
    }
    const wait = store.waitOf(store.state.wait);
    if (wait) {
      const next = model.locks.beside(wait, forward ? 1 : -1);
      if (next) store.showWait(next, true);
      else announce(forward ? "the thread waits for no lock later" : "the thread waits for no lock before");
      return;
    }
    const call = store.callOf(store.state.call);
    if (store.state.frame < 0 && call) store.move({ frame: call.lane.frame[call.at] }); /* of an address */
    const { state } = store;
    this.looking?.abort();
    if (state.frame < 0) announce("select a function first");
    else if (server && model.lanes.step > 1 && (state.call?.thread ?? 0) >= 0) void this.askOccurrence(server, forward);
    else this.nearOccurrence(forward);
  }

  private nextItem(step: number): void {
    const { store } = this.props;
    const { item, t0, t1 } = store.state;
    const found = store.itemOf(item);
    const begin = found?.track.begin[found.at + step];
    if (!item || begin === undefined) announce("no further one");
    else store.showItem({ track: item.track, begin }, begin < t0 || begin > t1);
  }

  private nearOccurrence(forward: boolean): void {
    const best = this.occurrenceIn(this.props.store.model.lanes, forward);
    if (best) this.select(best);
    else announce("no further call is shown by itself");
  }

  private async askOccurrence(server: Server, forward: boolean): Promise<void> {
    const { store } = this.props;
    const { state } = store;
    const looking = (this.looking = new AbortController());
    try {
      const next = await server.next(state.frame, state.call ? state.call.begin : Math.max(0, forward ? state.t0 : state.t1), !forward, looking.signal);
      if (next) this.selectFar({ thread: next.thread, depth: next.depth, begin: next.begin_ns, frame: state.frame }, next.end_ns);
      else announce(forward ? "no further call" : "no call before");
    } catch (fault) {
      if (fault instanceof Refused && fault.status === NO_FUNCTION) this.nearOccurrence(forward);
      else if (!isStale(fault)) store.fail(fault);
    }
  }

  /* A call that may be too short for the present view: that becomes as narrow as it needs. */
  private selectFar(call: CallRef, end: number): void {
    const { store } = this.props;
    const { t0, t1, open } = store.state;
    const length = Math.max(end - call.begin, LEAST / 4);
    const span = Math.min(t1 - t0, length * FAR);
    store.set({ call, item: null, frame: call.frame, open: open.includes(call.thread) ? open : [...open, call.thread] });
    if (span < t1 - t0 || call.begin < t0 || call.begin > t1) this.look(call.begin - span / 3, call.begin + (span * 2) / 3);
    announce(`${clean(store.model.name(call.frame))}, ${time(end - call.begin)}`, false);
  }

  private occurrenceIn(lanes: Lanes, forward: boolean): Call | null {
    const { state } = this.props.store;
    const from = state.call ? state.call.begin : forward ? state.t0 : state.t1;
    let best: Call | null = null;
    for (const lane of lanes.all) {
      if (lane.kind === STATES) continue;
      const step = forward ? 1 : -1;
      for (let at = forward ? firstAbove(lane.begin, from) : firstAbove(lane.begin, from - 0.5) - 1; at >= 0 && at < lane.begin.length; at += step) {
        if (best && (forward ? lane.begin[at] >= best.lane.begin[best.at] : lane.begin[at] <= best.lane.begin[best.at])) break;
        if (lane.frame[at] === state.frame && lane.begin[at] !== from) {
          best = { lane, at };
          break;
        }
      }
    }
    return best;
  }

  key(event: KeyboardEvent): boolean {
    const { store } = this.props;
    const { t0, t1, range } = store.state;
    const span = t1 - t0;
    const { call } = this.view();
    const keys: Record<string, () => void> = {
      KeyW: () => this.zoom(0.7, (t0 + t1) / 2),
      KeyS: () => this.zoom(1 / 0.7, (t0 + t1) / 2),
      Equal: () => this.zoom(0.7, (t0 + t1) / 2),
      Minus: () => this.zoom(1 / 0.7, (t0 + t1) / 2),
      KeyA: () => this.look(t0 - span * 0.15, t1 - span * 0.15),
      KeyD: () => this.look(t0 + span * 0.15, t1 + span * 0.15),
      Digit0: () => store.set({ t0: store.start.t0, t1: store.start.t1 }),
      KeyF: () => (call ? this.fit(call) : range && this.look(range[0], range[1])),
      KeyM: () => call && store.set({ range: [call.lane.begin[call.at], call.lane.end[call.at]] }),
      KeyN: () => this.occurrence(true),
      KeyP: () => this.occurrence(false),
      KeyO: () => this.toggle(store.state.call?.thread ?? this.rows.find((row) => row.track < 0)?.thread ?? 0),
      Escape: () => store.set({ call: null, item: null, wait: null, range: null }),
    };
    const inTable = (event.target as HTMLElement).closest?.("[role=grid],[role=treegrid]");
    if (event.code.startsWith("Arrow") && !inTable) this.walk(event.code);
    else if (event.code === "Enter" && call && event.target === this.box) this.fit(call);
    else if (keys[event.code]) keys[event.code]();
    else return false;
    return true;
  }

  private saveAs(kind: "svg" | "png"): void {
    const { model } = this.props.store;
    if (kind === "png") {
      this.surface?.canvas.toBlob((blob) => blob && save(blob, "timeline.png"));
      return;
    }
    const svg = new SvgSurface(this.state.width, this.state.height, themed("back"));
    paintTimeline(model, svg, this.view());
    save(svg.finish(), "timeline.svg");
  }

  private label(row: Row) {
    const { model } = this.props.store;
    if (row.track >= 0) {
      const track = model.tracks[row.track];
      const name = track.thread < 0 ? model.processOf(track) : model.threads.name.length > 1 ? model.threadName(track.thread) : "";
      const owner = name && `\n${clean(name)}`;
      return (
        <span class="thread track" key={`track ${row.track}`} style={`top:${AXIS + row.y}px;width:${GUTTER - 8}px`} title={`${clean(trackName(track))}${owner}\n${count(track.all)} in all`}>
          {clean(trackName(track))}
        </span>
      );
    }
    const name = clean(model.threadName(row.thread));
    return (
      <button
        class="thread"
        key={String(row.thread)}
        style={`top:${AXIS + row.y}px;width:${GUTTER - 8}px`}
        aria-expanded={String(row.open)}
        title={row.thread < 0 ? name : `${name}\n${plural(model.threads.calls[row.thread], "call")}, ${plural(row.all, "level")}`}
        onClick={() => this.toggle(row.thread)}
      >
        {row.open ? "\u25be" : "\u25b8"} {name}
      </button>
    );
  }

  render() {
    const { store } = this.props;
    const { state, model } = store;
    this.rows = rowsOf(model, state.open, state.thread, state.t0, state.t1, state.call?.thread ?? state.wait?.thread ?? state.thread, state.item?.track ?? -1);
    const hidden = model.lanes.byThread.size - this.rows.filter((row) => row.track < 0).length;
    const last = this.rows[this.rows.length - 1];
    const { scroll, height, tip, tipX, tipY } = this.state;
    const tipText = tip && tip.model === model ? this.tipOf(tip.hit) : "";
    const shown = this.rows.filter((row) => row.y + row.height > scroll - 100 && row.y < scroll + height + 100);
    return (
      <div class="split">
        <div class="main">
          <Minimap store={store} gutter={GUTTER} look={(t0, t1) => this.look(t0, t1)} />
          <div
            class="time"
            tabIndex={0}
            role="group"
            aria-label="Timeline. Arrow keys walk calls, w and s zoom, a and d move, n finds the next call of the function"
            ref={(element?: Element) => void (this.box = (element as HTMLElement) ?? this.box)}
            onScroll={() => this.box && this.setState({ scroll: this.box.scrollTop })}
          >
            <div class="long" style={`height:${AXIS + (last ? last.y + last.height : 0)}px`}>
              {shown.map((row) => this.label(row))}
              <canvas
                aria-hidden="true"
                style={`width:${this.state.width}px;height:${height}px;margin-left:${GUTTER}px`}
                ref={(element?: Element) => void (element && (this.surface ??= new CanvasSurface(element as HTMLCanvasElement)))}
                onMouseDown={(event: MouseEvent) => this.press(event)}
                onMouseMove={(event: MouseEvent) => this.hover(event)}
                onMouseUp={(event: MouseEvent) => this.release(event)}
                onMouseLeave={() => this.hide()}
                onDblClick={(event: MouseEvent) => {
                  const found = this.hitOf(event);
                  if (found?.call) this.fit(found.call);
                }}
              />
            </div>
          </div>
          {tipText && (
            <div class="tip" style={`left:${Math.min(tipX + 14, this.state.width - 120)}px;top:${tipY + 74}px`}>
              {tipText}
            </div>
          )}
        </div>
        <TimelineDetails store={store} hidden={hidden} save={(kind) => this.saveAs(kind)} next={(forward) => this.occurrence(forward)} fit={(call) => this.fit(call)} />
      </div>
    );
  }
}
