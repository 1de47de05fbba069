/* The flamegraph: frames downwards, as wide as their time. */
import { changeOf } from "../data/change";
import { Model } from "../data/model";
import { Node } from "../data/trees";
import { clean, share, shortName, time } from "../text";
import { changeColor, CHANGES, colorOf, themed } from "./color";
import { Surface } from "./surface";

export const FLAME_ROW = 20; /* pixels */
const NARROW = 0.7;
const DEEPEST = 500; /* levels */

export interface Placed {
  node: Node;
  x: number;
  width: number;
  level: number;
}

/* All frames that are wide enough, below their callers; those above `top` are as wide as the picture. */
export function place(top: Node, width: number): Placed[] {
  const out: Placed[] = [];
  const above: Node[] = [];
  for (let up: Node | null = top; up; up = up.parent) above.unshift(up);
  above.forEach((node, level) => out.push({ node, x: 0, width, level }));
  const todo: Placed[] = [out[out.length - 1]];
  for (let next = todo.pop(); next; next = todo.pop()) {
    let x = next.x;
    const scale = next.node.total > 0 ? next.width / Math.max(next.node.total, sumOf(next.node)) : 0;
    for (const child of next.node.children) {
      const wide = child.total * scale;
      if (next.level >= DEEPEST) break;
      if (wide < NARROW) continue; /* the largest come first, but what is only before stands behind all */
      const placed = { node: child, x, width: wide, level: next.level + 1 };
      out.push(placed);
      todo.push(placed);
      x += wide;
    }
  }
  return out;
}

function sumOf(node: Node): number {
  return node.children.reduce((sum, child) => sum + child.total, 0);
}

export function levelsOf(placed: Placed[]): number {
  return placed.reduce((most, one) => Math.max(most, one.level + 1), 1);
}

interface Look {
  scroll: number;
  height: number;
  all: number; /* ns of the whole */
  chosen: Node | null;
  frame: number; /* all its frames are marked */
  before: number; /* of a comparison: ns of the whole before; else -1 */
}

export function nodeName(model: Model, node: Node): string {
  return node.label ?? model.name(node.frame);
}

/* Parts of the whole, of a comparison: before and now. */
export function partsOf(node: Node, all: number, before: number): [number, number] {
  return [before > 0 ? (node.old?.total ?? 0) / before : 0, all > 0 ? (node.nowTotal ?? node.total) / all : 0];
}

function fillOf(model: Model, node: Node, look: Look): string {
  if (look.before < 0 || (node.frame < 0 && !node.label)) return colorOf(model, node.frame);
  return changeColor(node.label ? -1 : changeOf(...partsOf(node, look.all, look.before)));
}

/* What the colours of a comparison mean. */
export function paintLegend(surface: Surface, y: number): void {
  CHANGES.forEach(([change, word], i) => {
    surface.rect(i * 92, y, 91, FLAME_ROW - 2, changeColor(change));
    surface.text(word, i * 92 + 5, y + FLAME_ROW / 2, 84, "#1a1a1a");
  });
}

export function paintFlame(model: Model, surface: Surface, placed: Placed[], look: Look): void {
  for (const { node, x, width, level } of placed) {
    const y = level * FLAME_ROW - look.scroll;
    if (y + FLAME_ROW < 0 || y > look.height) continue;
    const name = node.frame < 0 ? nodeName(model, node) : clean(shortName(model.name(node.frame)));
    const [before, now] = partsOf(node, look.all, look.before);
    const title = look.before < 0 ? `${name}: ${time(node.total)}, ${share(now)}` : `${name}: ${share(now)}, was ${share(before)}`;
    surface.rect(x, y, Math.max(width - 0.8, 0.5), FLAME_ROW - 1, fillOf(model, node, look), title);
    const mark = node === look.chosen ? themed("focus") : node.frame >= 0 && node.frame === look.frame ? themed("text") : "";
    if (mark && node === look.chosen) surface.rect(x, y, width - 0.8, 3, mark);
    if (mark) surface.rect(x, y + FLAME_ROW - 4, width - 0.8, 3, mark);
    const wide = width > 160 && !node.label ? `${name}  ${share(look.all > 0 ? (node.nowTotal ?? node.total) / look.all : 0)}` : name;
    surface.text(wide, x + 4, y + FLAME_ROW / 2, width - 8, "#1a1a1a");
  }
}

export function placedAt(placed: Placed[], x: number, y: number): Placed | null {
  const level = Math.floor(y / FLAME_ROW);
  return placed.find((one) => one.level === level && x >= one.x && x < one.x + one.width) ?? null;
}
