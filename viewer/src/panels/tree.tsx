/* The call tree as a table whose rows open. */
import { Component, h } from "preact";
import { ABOUT, Node } from "../data/trees";
import { Bar } from "../parts/links";
import { Table } from "../parts/table";
import { colorOf } from "../draw/color";
import { RangeNote } from "../parts/range_note";
import { Store } from "../state";
import { about, clean, count, share, time } from "../text";

interface Line {
  node: Node;
  level: number;
  id: number;
}

export class Tree extends Component<{ store: Store }, { version: number }> {
  private tree: Node | null = null;
  private open = new Set<Node>();
  private ids = new Map<Node, number>();
  private lines: Line[] = [];
  private chosen: Node | null = null;

  /* Opens the largest path, as far as it has most of the time. */
  private begin(root: Node): void {
    this.open = new Set([root]);
    this.ids = new Map();
    for (let node = root.children[0]; node && node.total > root.total / 10; node = node.children[0]) this.open.add(node);
    this.list(root);
  }

  private list(root: Node): void {
    const out: Line[] = [];
    const add = (node: Node, level: number) => {
      let id = this.ids.get(node);
      if (id === undefined) this.ids.set(node, (id = this.ids.size));
      out.push({ node, level, id });
    };
    const todo: [Node, number][] = root.children.map((child) => [child, 1] as [Node, number]).reverse();
    for (let next = todo.pop(); next; next = todo.pop()) {
      const [node, level] = next;
      add(node, level);
      if (this.open.has(node)) for (let i = node.children.length - 1; i >= 0; i--) todo.push([node.children[i], level + 1]);
    }
    this.lines = out;
  }

  private toggle(node: Node, open: boolean): void {
    if (open) this.open.add(node);
    else this.open.delete(node);
    if (this.tree) this.list(this.tree);
    this.setState({ version: (this.state.version ?? 0) + 1 });
  }

  private name(line: Line) {
    const { model } = this.props.store;
    const { node, level } = line;
    const children = node.children.length > 0;
    const isOpen = this.open.has(node);
    return (
      <span style={`padding-left:${Math.min(level - 1, 40) * 16}px`}>
        {children ? (
          <button
            class="twist"
            tabIndex={-1}
            aria-label={isOpen ? "close" : "open"}
            onClick={(event: Event) => {
              event.stopPropagation();
              this.toggle(node, !isOpen);
            }}
          >
            {isOpen ? "\u25be" : "\u25b8"}
          </button>
        ) : (
          <span class="twist" />
        )}
        <span class="swatch" style={`background:${colorOf(model, node.frame)}`} />
        {clean(model.name(node.frame))}
      </span>
    );
  }

  render() {
    const { store } = this.props;
    const { state, model } = store;
    const tree = store.tree();
    if (this.tree !== tree) {
      this.tree = tree;
      this.begin(tree);
    }
    const all = Math.max(1, this.tree.total);
    return (
      <div class="main">
        <RangeNote store={store} />
        <Table<Line>
          label={`Call tree of ${state.thread >= 0 ? clean(model.threadName(state.thread)) : "all threads"}, ${store.kindShown()} time`}
          rows={this.lines}
          id={(line) => line.id}
          selected={this.chosen ? this.ids.get(this.chosen) : undefined}
          select={(line) => {
            this.chosen = line.node;
            store.move({ frame: line.node.frame });
          }}
          open={(line) => store.showFunction(line.node.frame)}
          level={(line) => line.level}
          expanded={(line) => (line.node.children.length ? this.open.has(line.node) : undefined)}
          toggle={(line, open) => this.toggle(line.node, open)}
          columns={[
            { key: "function", title: "Function", left: true, width: 0, text: (line) => "  ".repeat(line.level - 1) + clean(model.name(line.node.frame)), show: (line) => this.name(line) },
            { key: "calls", title: "Calls", width: 110, text: (line) => about(line.node.about & ABOUT.calls, count(line.node.calls)) },
            { key: "total_ns", title: "Total", width: 90, text: (line) => about(line.node.about & ABOUT.total, time(line.node.total)) },
            { key: "share", title: "Share", width: 104, text: (line) => share(line.node.total / all), show: (line) => <Bar part={line.node.total / all} /> },
            { key: "self_ns", title: "Self", width: 90, text: (line) => about(line.node.about & ABOUT.self, time(line.node.self)) },
          ]}
        />
        <p class="quiet note">
          Right and left open and close a row; Enter shows all calls of its function.
          {model.meta.left_out.tree_paths > 0 ? ` ${count(model.meta.left_out.tree_paths)} small call paths are left out.` : ""}
        </p>
      </div>
    );
  }
}
