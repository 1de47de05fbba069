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

/* A colour of the style sheet, for canvases. */
export function themed(name: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim() || "#888";
}
