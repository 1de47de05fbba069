/* The whole recording in a strip: how many threads were in calls, and what part of it is in view.  Drag moves the view. */
import { Component, h } from "preact";
import { Model } from "../data/model";
import { themed } from "../draw/color";
import { CanvasSurface } from "../draw/surface";
import { Store } from "../state";

const HEIGHT = 40;

interface Props {
  store: Store;
  gutter: number;
  look: (t0: number, t1: number) => void;
}

export class Minimap extends Component<Props, { width: number }> {
  private surface: CanvasSurface | null = null;
  private box: HTMLElement | null = null;
  private observer: ResizeObserver | null = null;
  private known: Float64Array | null = null;
  private knownOf: Model | null = null;
  private knownTop = 1;

  componentDidMount(): void {
    this.observer = new ResizeObserver(() => this.setState({ width: Math.max(50, (this.box?.clientWidth ?? 0) - this.props.gutter) }));
    this.observer.observe(this.box as HTMLElement);
  }

  componentWillUnmount(): void {
    this.observer?.disconnect();
  }

  componentDidUpdate(): void {
    this.paint();
  }

  /* Calls of the outermost level, per column; found once for a width. */
  private density(width: number): Float64Array {
    const { model } = this.props.store;
    if (this.known?.length === width && this.knownOf === model) return this.known;
    this.knownOf = model;
    const { begin, end, lanes } = model;
    const sums = new Float64Array(width);
    const scale = width / (end - begin);
    const add = (from: number, to: number, part: number) => {
      const x0 = (from - begin) * scale;
      const x1 = Math.max((to - begin) * scale, x0 + 1e-6);
      for (let x = Math.max(0, Math.floor(x0)); x <= Math.min(width - 1, Math.floor(x1)); x++)
        sums[x] += Math.max(0, Math.min(x + 1, x1) - Math.max(x, x0)) * part;
    };
    for (const thread of lanes.byThread.keys()) {
      const lane = lanes.lane(thread, 0);
      if (!lane || thread < 0) continue;
      for (let i = 0; i < lane.begin.length; i++) add(lane.begin[i], lane.end[i], 1);
      for (let i = 0; i < lane.cellBegin.length; i++) add(lane.cellBegin[i], lane.cellBegin[i] + lanes.step, lane.cover[i] / lanes.step);
      const states = lanes.states.get(thread);
      for (let i = 0; states && i < states.begin.length; i++) add(states.begin[i], states.end[i], -1);
    }
    this.known = sums;
    this.knownTop = Math.max(1, ...sums);
    return sums;
  }

  private paint(): void {
    const { surface } = this;
    const width = Math.floor(this.state.width);
    if (!surface || !(width > 0)) return;
    const { model, state } = this.props.store;
    surface.begin(width, HEIGHT, themed("panel"));
    const sums = this.density(width);
    for (let x = 0; x < width; x++) {
      const height = (Math.max(0, sums[x]) / this.knownTop) * (HEIGHT - 4);
      if (height > 0) surface.rect(x, HEIGHT - height, 1, height, themed("running"));
    }
    const scale = width / (model.end - model.begin);
    const x0 = (state.t0 - model.begin) * scale;
    const x1 = Math.max((state.t1 - model.begin) * scale, x0 + 2);
    surface.rect(0, 0, x0, HEIGHT, themed("shade"));
    surface.rect(x1, 0, width - x1, HEIGHT, themed("shade"));
    surface.rect(x0 - 1, 0, 2, HEIGHT, themed("focus"));
    surface.rect(x1 - 1, 0, 2, HEIGHT, themed("focus"));
  }

  private move(event: MouseEvent): void {
    if (!(event.buttons & 1) || !this.surface) return;
    const { model, state } = this.props.store;
    const x = this.surface.point(event).x;
    const at = model.begin + (x / this.state.width) * (model.end - model.begin);
    const half = (state.t1 - state.t0) / 2;
    this.props.look(at - half, at + half);
  }

  render() {
    return (
      <div class="minimap" aria-hidden="true" ref={(element?: Element) => void (this.box = (element as HTMLElement) ?? this.box)}>
        <canvas
          style={`width:${this.state.width ?? 0}px;height:${HEIGHT}px;margin-left:${this.props.gutter}px`}
          ref={(element?: Element) => void (element && (this.surface ??= new CanvasSurface(element as HTMLCanvasElement)))}
          onMouseDown={(event: MouseEvent) => this.move(event)}
          onMouseMove={(event: MouseEvent) => this.move(event)}
        />
      </div>
    );
  }
}
