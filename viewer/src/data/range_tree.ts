/* The call tree of a part of the timeline: elapsed time by the clock, with cells as calls of their one frame. */
import { CALLS, firstAbove, Lane } from "./lanes";
import { Model } from "./model";
import { newNode, Node } from "./trees";

/* What a lane has in the range, and the node of each. */
interface Part {
  lane: Lane;
  call: number; /* index of the first call */
  calls: Node[];
  cell: number;
  cells: Node[];
}

function childOf(parent: Node, frame: number, known: Map<Node, Map<number, Node>>): Node {
  let children = known.get(parent);
  if (!children) known.set(parent, (children = new Map()));
  let found = children.get(frame);
  if (!found) {
    found = newNode(frame, parent);
    children.set(frame, found);
    parent.children.push(found);
  }
  return found;
}

/* The node that is open one level further out at a time. */
function outer(of: Part | null, time: number, step: number, root: Node): Node {
  if (!of) return root;
  const call = firstAbove(of.lane.begin, time) - 1;
  if (call >= of.call && of.lane.end[call] >= time && of.calls[call - of.call]) return of.calls[call - of.call];
  const cell = firstAbove(of.lane.cellBegin, time) - 1;
  if (cell >= of.cell && of.lane.cellBegin[cell] + step > time && of.cells[cell - of.cell]) return of.cells[cell - of.cell];
  return root;
}

function addLane(model: Model, lane: Lane, above: Part | null, range: [number, number], root: Node, known: Map<Node, Map<number, Node>>): Part {
  const [begin, end] = range;
  const { step } = model.lanes;
  const part: Part = { lane, call: firstAbove(lane.end, begin), calls: [], cell: firstAbove(lane.cellBegin, begin - step), cells: [] };
  const add = (parent: Node, frame: number, calls: number, ns: number): Node => {
    const node = childOf(parent, frame, known);
    node.calls += calls;
    node.total += ns;
    node.self += ns;
    parent.self -= ns;
    return node;
  };
  for (let i = part.call; i < lane.begin.length && lane.begin[i] < end; i++) {
    const [from, to] = [Math.max(lane.begin[i], begin), Math.min(lane.end[i], end)];
    part.calls.push(add(outer(above, (from + to) / 2, step, root), lane.frame[i], 1, to - from));
  }
  for (let i = part.cell; i < lane.cellBegin.length && lane.cellBegin[i] < end; i++)
    part.cells.push(add(outer(above, lane.cellBegin[i] + step / 2, step, root), lane.cellFrame[i], lane.cellCalls[i], lane.cover[i]));
  return part;
}

/* Of all threads together; thread >= 0: of that one.  Self times are what remains of a call's time beside its callees'. */
export function rangeTree(model: Model, range: [number, number], thread: number): Node {
  const root: Node = newNode(-1, null);
  const known = new Map<Node, Map<number, Node>>();
  for (const [of, lanes] of model.lanes.byThread) {
    if (of < 0 || (thread >= 0 && of !== thread)) continue;
    let above: Part | null = null;
    for (const lane of lanes) if (lane?.kind === CALLS) above = addLane(model, lane, above, range, root, known);
  }
  root.total = root.children.reduce((sum, child) => sum + child.total, 0);
  const todo = [root];
  for (let next = todo.pop(); next; next = todo.pop()) {
    next.self = Math.max(0, next.self);
    next.children.sort((a, b) => b.total - a.total || a.frame - b.frame);
    todo.push(...next.children);
  }
  return root;
}
