/* The flamegraph: frames downwards, as wide as their time. */
import { Model } from "../data/model";
import { Node } from "../data/trees";
import { clean, share, shortName, time } from "../text";
import { colorOf, themed } from "./color";
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
      if (wide < NARROW || next.level >= DEEPEST) break; /* the largest come first */
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
}

export function paintFlame(model: Model, surface: Surface, placed: Placed[], look: Look): void {
  for (const { node, x, width, level } of placed) {
    const y = level * FLAME_ROW - look.scroll;
    if (y + FLAME_ROW < 0 || y > look.height) continue;
    const name = node.frame < 0 ? "all" : clean(shortName(model.name(node.frame)));
    const title = `${name}: ${time(node.total)}, ${share(look.all > 0 ? node.total / look.all : 0)}`;
    surface.rect(x, y, Math.max(width - 0.8, 0.5), FLAME_ROW - 1, colorOf(model, node.frame), title);
    const mark = node === look.chosen ? themed("focus") : node.frame >= 0 && node.frame === look.frame ? themed("text") : "";
    if (mark && node === look.chosen) surface.rect(x, y, width - 0.8, 3, mark);
    if (mark) surface.rect(x, y + FLAME_ROW - 4, width - 0.8, 3, mark);
    const wide = width > 160 ? `${name}  ${share(look.all > 0 ? node.total / look.all : 0)}` : name;
    surface.text(wide, x + 4, y + FLAME_ROW / 2, width - 8, "#1a1a1a");
  }
}

export function placedAt(placed: Placed[], x: number, y: number): Placed | null {
  const level = Math.floor(y / FLAME_ROW);
  return placed.find((one) => one.level === level && x >= one.x && x < one.x + one.width) ?? null;
}
