/* Two recordings as one: call paths and rows of functions with the figures of both. */
import { Functions, Kind, Model, SELF } from "./model";
import { Old } from "./old";
import { callTree, inOrder, Node, newNode, reversed } from "./trees";

export const ONLY_BEFORE = "[only before]";

/* How the part of the whole changed, by the larger one: -1: only before, 0: same, 1: only now. */
export function changeOf(before: number, now: number): number {
  const larger = Math.max(before, now);
  return larger > 0 ? (now - before) / larger : 0;
}

interface Pair {
  now: Node[]; /* that are one function */
  before: Node[];
  into: Node;
}

function sum(nodes: Node[], of: "calls" | "total" | "self"): number {
  return nodes.reduce((all, node) => all + node[of], 0);
}

/* Children of both sides by the frame that stands for them. */
function together(pair: Pair, old: Old): Pair[] {
  const out = new Map<number, Pair>();
  const add = (side: "now" | "before", parents: Node[]) => {
    for (const parent of parents)
      for (const child of parent.children) {
        const as = old.pathAs(child.frame);
        let found = out.get(as);
        if (!found) out.set(as, (found = { now: [], before: [], into: newNode(child.frame, pair.into) }));
        found[side].push(child);
      }
  };
  add("now", pair.now);
  add("before", pair.before);
  return [...out.values()];
}

function merge(now: Node, before: Node, old: Old): Node {
  const root = newNode(-1, null);
  const made: Node[] = [];
  const todo: Pair[] = [{ now: [now], before: [before], into: root }];
  for (let next = todo.pop(); next; next = todo.pop()) {
    const { into } = next;
    into.calls = sum(next.now, "calls");
    into.total = sum(next.now, "total");
    into.self = sum(next.now, "self");
    into.about = next.now.reduce((all, node) => all | node.about, 0);
    into.old = { calls: sum(next.before, "calls"), total: sum(next.before, "total"), self: sum(next.before, "self"), about: next.before.reduce((all, node) => all | node.about, 0), gone: 0 };
    made.push(into);
    for (const pair of together(next, old)) {
      into.children.push(pair.into);
      todo.push(pair);
    }
  }
  for (let i = made.length - 1; i >= 0; i--) {
    /* children come behind their parents */
    const { old: was, parent, total } = made[i];
    if (!was) continue;
    if (total <= 0) was.gone = was.total;
    if (parent?.old) parent.old.gone += total > 0 ? was.gone : was.total;
  }
  return root;
}

/* What is only before, with its callers; as wide as it was, by the whole of now. */
function goneOf(merged: Node, scale: number, parent: Node): Node {
  const out = newNode(-1, parent);
  out.label = ONLY_BEFORE;
  const todo: [Node, Node][] = [[merged, out]];
  for (let next = todo.pop(); next; next = todo.pop()) {
    const [from, into] = next;
    into.total = (from.old?.gone ?? 0) * scale;
    into.old = from.old;
    if (from !== merged) into.nowTotal = from.total;
    for (const child of from.children)
      if (child.old && child.old.gone > 0) {
        const made = newNode(child.frame, into);
        into.children.push(made);
        todo.push([child, made]);
      }
  }
  return out;
}

/* Without those that have nothing now. */
function dropGone(root: Node): void {
  const todo = [root];
  for (let next = todo.pop(); next; next = todo.pop()) {
    next.children = next.children.filter((child) => child.total > 0);
    todo.push(...next.children);
  }
}

/*
 * Call paths as they are now, each with what it was before; what is only before stands beside them, below the root.
 * Callers above callees, or functions by self time with their callers below.
 */
export function changeTree(model: Model, old: Old, kind: Kind, isReversed: boolean): Node {
  const trees = [callTree(model, kind, -1), callTree({ tree: old.tree, threadTree: null }, kind, -1)];
  const [now, before] = isReversed ? trees.map(reversed) : trees;
  const root = merge(now, before, old);
  const gone = goneOf(root, before.total > 0 ? now.total / before.total : 0, root);
  inOrder(gone);
  dropGone(root);
  inOrder(root);
  if (gone.total > 0) root.children.push(gone);
  return root;
}

export interface ChangeRow {
  frame: number; /* the one that stands for all that are this function */
  self: [number, number]; /* now, before; of the kind asked for */
  calls: [number, number];
  p99: [number, number]; /* of the largest; -1: not known */
  about: [boolean, boolean];
}

/* All functions of both recordings. */
export function changeRows(model: Model, old: Old, kind: Kind): ChangeRow[] {
  const rows = new Map<number, ChangeRow>();
  const add = (side: 0 | 1, functions: Functions) => {
    functions.frame.forEach((frame, i) => {
      const as = old.rowAs(frame);
      let row = rows.get(as);
      if (!row) rows.set(as, (row = { frame: as, self: [0, 0], calls: [0, 0], p99: [-1, -1], about: [false, false] }));
      row.self[side] += functions[SELF[kind]][i];
      row.calls[side] += functions.calls[i];
      row.p99[side] = Math.max(row.p99[side], functions.p99_ns[i]);
      row.about[side] ||= functions.self_estimated[i] > 0;
    });
  };
  add(0, model.functions);
  add(1, old.functions);
  return [...rows.values()];
}
