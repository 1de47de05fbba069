/* Colours of functions: light ones of 9 hues that colour-blind people can tell apart (P. Tol, "light"), in three shades. */
import { Model } from "../data/model";

const HUES = ["#77aadd", "#ee8866", "#eedd88", "#ffaabb", "#99ddff", "#44bb99", "#bbcc33", "#c9c46a", "#d0d0d0"];
const SHADES = [0, 0.22, 0.42]; /* towards white */
const caches = new WeakMap<Model, Map<number, [number, number, number]>>();

function hash(text: string): number {
  let value = 2166136261;
  for (let i = 0; i < text.length; i++) value = Math.imul(value ^ text.charCodeAt(i), 16777619);
  return value >>> 0;
}

export function rgbOf(model: Model, frame: number): [number, number, number] {
  let cache = caches.get(model);
  if (!cache) caches.set(model, (cache = new Map()));
  const known = cache.get(frame);
  if (known) return known;
  const key = hash(frame < 0 ? "" : model.keyOf(frame));
  const hue = frame < 0 ? "#d0d0d0" : HUES[key % HUES.length];
  const shade = frame < 0 ? 0 : SHADES[Math.floor(key / HUES.length) % SHADES.length];
  const rgb = [1, 3, 5].map((at) => {
    const value = parseInt(hue.slice(at, at + 2), 16);
    return Math.round(value + (255 - value) * shade);
  }) as [number, number, number];
  cache.set(frame, rgb);
  return rgb;
}

export function colorOf(model: Model, frame: number): string {
  const [red, green, blue] = rgbOf(model, frame);
  return `rgb(${red},${green},${blue})`;
}

/* From grey to Okabe and Ito's sky blue (-1: only before) or orange (1: only now): as `prof flame --against` paints. */
export function changeColor(change: number): string {
  const far = (3 * Math.abs(change)) / (1 + 2 * Math.abs(change));
  const to = change < 0 ? [0x56, 0xb4, 0xe9] : [0xe6, 0x9f, 0x00];
  return `rgb(${to.map((part) => Math.round(0xee + far * (part - 0xee))).join(",")})`;
}

export const CHANGES: [number, string][] = [
  [-1, "only before"],
  [-0.5, "half"],
  [-0.1, "10% less"],
  [0, "same"],
  [0.1, "10% more"],
  [0.5, "double"],
  [1, "only now"],
];

/* A colour of the style sheet, for canvases. */
export function themed(name: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim() || "#888";
}
