/* Trees of call paths: of all threads or one, reversed, and the callers and callees of a function. */
import { Figures, Kind, SELF, TOTAL, TreeColumns } from "./model";

/* Which figures are estimates, or parts of them. */
export const ABOUT = { calls: 1, total: 2, self: 4 } as const;

export interface Node {
  frame: number; /* -1: the root */
  about: number; /* of ABOUT */
  calls: number;
  total: number; /* ns, of the kind asked for */
  self: number;
  children: Node[]; /* the largest first */
  parent: Node | null;
  label?: string; /* of a node that is no function */
  old?: { about: number; calls: number; total: number; self: number; gone: number }; /* of a comparison: before; gone: of what is only there */
  nowTotal?: number; /* of a node among what is only before: its time now */
}

export function newNode(frame: number, parent: Node | null): Node {
  return { frame, about: 0, calls: 0, total: 0, self: 0, children: [], parent };
}

export function inOrder(of: Node): void {
  const todo = [of];
  for (let next = todo.pop(); next; next = todo.pop()) {
    next.children.sort((a, b) => b.total - a.total || a.frame - b.frame);
    todo.push(...next.children);
  }
}

/* GPU time has no estimates. */
function aboutOf(columns: TreeColumns, i: number): number {
  return (columns.calls_estimated?.[i] ?? 0) * ABOUT.calls + (columns.total_estimated?.[i] ?? 0) * ABOUT.total + (columns.self_estimated?.[i] ?? 0) * ABOUT.self;
}

/* Of all threads together; thread >= 0: of that one. */
export function callTree(figures: Pick<Figures, "tree" | "threadTree">, kind: Kind, thread: number): Node {
  const columns: TreeColumns = thread >= 0 && figures.threadTree ? figures.threadTree : figures.tree;
  const root = newNode(-1, null);
  const nodes: (Node | null)[] = new Array(columns.parent.length).fill(null);
  const totals = columns[TOTAL[kind]];
  const selves = columns[SELF[kind]];
  for (let i = 0; i < columns.parent.length; i++) {
    const at = columns.thread?.[i] ?? -1;
    if (at >= 0) {
      nodes[i] = at === thread ? root : null;
      continue;
    }
    const parent = columns.parent[i] < 0 ? root : nodes[columns.parent[i]];
    if (!parent || totals[i] <= 0) continue;
    const made = newNode(columns.frame[i], parent);
    made.calls = columns.calls[i];
    made.total = totals[i];
    made.self = selves[i];
    made.about = aboutOf(columns, i);
    parent.children.push(made);
    nodes[i] = made;
  }
  root.total = root.children.reduce((sum, child) => sum + child.total, 0);
  inOrder(root);
  return root;
}

function child(of: Node, frame: number, known: Map<Node, Map<number, Node>>): Node {
  let children = known.get(of);
  if (!children) known.set(of, (children = new Map()));
  let found = children.get(frame);
  if (!found) {
    found = newNode(frame, of);
    children.set(frame, found);
    of.children.push(found);
  }
  return found;
}

function visit(root: Node, each: (of: Node) => void): void {
  const todo = [...root.children];
  for (let next = todo.pop(); next; next = todo.pop()) {
    each(next);
    todo.push(...next.children);
  }
}

/* Functions by their self time, their callers below them. */
export function reversed(tree: Node): Node {
  const root = newNode(-1, null);
  const known = new Map<Node, Map<number, Node>>();
  root.total = tree.total;
  visit(tree, (of) => {
    if (of.self <= 0) return;
    let into = root;
    for (let up: Node | null = of; up && up.frame >= 0; up = up.parent) {
      into = child(into, up.frame, known);
      into.total += of.self;
      into.calls += of.calls;
      into.about |= (of.about & ABOUT.calls) | (of.about & ABOUT.self ? ABOUT.total : 0);
    }
    into.self += of.self;
    into.about |= of.about & ABOUT.self;
  });
  inOrder(root);
  return root;
}

/* The paths that begin at a function, all its calls together; recursion counts once. */
export function callees(tree: Node, frame: number): Node {
  const root = newNode(frame, null);
  const known = new Map<Node, Map<number, Node>>();
  const add = (from: Node, into: Node) => {
    into.calls += from.calls;
    into.total += from.total;
    into.self += from.self;
    into.about |= from.about;
    for (const next of from.children) add(next, child(into, next.frame, known));
  };
  const find = (from: Node) => {
    for (const next of from.children)
      if (next.frame === frame) add(next, root);
      else find(next);
  };
  find(tree);
  inOrder(root);
  return root;
}

/* The paths that lead to a function, its callers below it; recursion counts once. */
export function callers(tree: Node, frame: number): Node {
  const root = newNode(frame, null);
  const known = new Map<Node, Map<number, Node>>();
  const find = (from: Node, within: boolean) => {
    for (const next of from.children) {
      const is = next.frame === frame;
      if (is && !within) {
        let into = root;
        root.total += next.total;
        root.about |= next.about & ABOUT.total;
        for (let up = next.parent; up && up.frame >= 0; up = up.parent) {
          into = child(into, up.frame, known);
          into.total += next.total;
          into.calls += next.calls;
          into.about |= next.about & (ABOUT.calls | ABOUT.total);
        }
      }
      if (is) {
        root.calls += next.calls;
        root.about |= next.about & ABOUT.calls;
      }
      find(next, within || is);
    }
  };
  find(tree, false);
  inOrder(root);
  return root;
}

export interface Edge {
  frame: number; /* -1: nobody instrumented */
  about: number;
  calls: number;
  total: number;
}

/* Direct callers or callees of a function: how often, and the time in the calls. */
export function edges(tree: Node, frame: number): { callers: Edge[]; callees: Edge[] } {
  const callers = new Map<number, Edge>();
  const callees = new Map<number, Edge>();
  const add = (to: Map<number, Edge>, other: number, of: Node) => {
    const edge = to.get(other) ?? { frame: other, about: 0, calls: 0, total: 0 };
    edge.calls += of.calls;
    edge.total += of.total;
    edge.about |= of.about;
    to.set(other, edge);
  };
  visit(tree, (of) => {
    if (of.frame === frame) add(callers, of.parent ? of.parent.frame : -1, of);
    if (of.parent && of.parent.frame === frame) add(callees, of.frame, of);
  });
  const list = (of: Map<number, Edge>) => [...of.values()].sort((a, b) => b.total - a.total || b.calls - a.calls);
  return { callers: list(callers), callees: list(callees) };
}

/* The nodes from the root to this one, without the root. */
export function pathOf(of: Node): Node[] {
  const out: Node[] = [];
  for (let up: Node | null = of; up && up.parent; up = up.parent) out.unshift(up);
  return out;
}
