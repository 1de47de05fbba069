/* Histograms of durations: a small one in a table, a large one with axes.  The x axis is logarithmic. */
import { h } from "preact";
import { count, short, time } from "../text";

interface Bin {
  low: number;
  width: number;
  count: number;
}

export function binsOf(of: number[]): Bin[] {
  const out: Bin[] = [];
  for (let i = 0; i + 2 < of.length; i += 3) out.push({ low: of[i], width: of[i + 1], count: of[i + 2] });
  return out;
}

function place(bins: Bin[]) {
  const first = Math.log2(Math.max(bins[0].low, 1));
  const last = Math.log2(Math.max(bins[bins.length - 1].low + bins[bins.length - 1].width, 2));
  const span = Math.max(last - first, 1);
  const at = (ns: number) => (Math.log2(Math.max(ns, 1)) - first) / span;
  return { at, first, last: first + span };
}

export function Spark(props: { of: number[] }) {
  const bins = binsOf(props.of);
  if (!bins.length) return <span />;
  const { at } = place(bins);
  const top = Math.max(...bins.map((bin) => bin.count));
  return (
    <svg class="spark" viewBox="0 0 70 18" width="70" height="18" aria-hidden="true">
      {bins.map((bin) => {
        const x = at(bin.low) * 68;
        const height = Math.max(1, (Math.log1p(bin.count) / Math.log1p(top)) * 17);
        return <rect x={x} y={18 - height} width={Math.max(1.5, at(bin.low + bin.width) * 68 - x)} height={height} />;
      })}
    </svg>
  );
}

const WIDTH = 340;
const HEIGHT = 120;

export function Histogram(props: { of: number[]; label: string }) {
  const bins = binsOf(props.of);
  if (!bins.length) return <span />;
  const { at, first, last } = place(bins);
  const top = Math.max(...bins.map((bin) => bin.count));
  const marks: number[] = [];
  for (let power = Math.ceil(first / Math.log2(10)); power * Math.log2(10) <= last; power++) marks.push(10 ** power);
  return (
    <figure>
      <figcaption>Durations of its calls: highest bar {short(top)} calls</figcaption>
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT + 20}`} width="100%" role="img" aria-label={`${props.label}: from ${time(bins[0].low)} to ${time(bins[bins.length - 1].low + bins[bins.length - 1].width)}`}>
        {bins.map((bin) => {
          const x = at(bin.low) * WIDTH;
          const height = Math.max(1.5, (bin.count / top) * HEIGHT);
          return (
            <rect class="bin" x={x} y={HEIGHT - height} width={Math.max(1.5, at(bin.low + bin.width) * WIDTH - x - 0.5)} height={height}>
              <title>
                {time(bin.low)} to {time(bin.low + bin.width)}: {count(bin.count)} calls
              </title>
            </rect>
          );
        })}
        {marks.map((ns) => (
          <g>
            <line class="mark" x1={at(ns) * WIDTH} x2={at(ns) * WIDTH} y1={0} y2={HEIGHT + 4} />
            <text x={Math.min(at(ns) * WIDTH + 2, WIDTH - 34)} y={HEIGHT + 15}>
              {time(ns)}
            </text>
          </g>
        ))}
      </svg>
    </figure>
  );
}
