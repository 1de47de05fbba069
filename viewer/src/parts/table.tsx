/* A table of any length: only the rows in view are in the document.  Arrow keys walk it, Enter opens a row. */
import { Component, h } from "preact";
import { csv } from "../text";
import { copy } from "./copy";

const ROW = 26; /* pixels */
const SPARE = 6; /* rows above and below the view */
const FLEXIBLE = 230; /* least pixels of the column that takes the rest */

export interface Column<Row> {
  key: string;
  title: string;
  hint?: string;
  text: (row: Row) => string; /* as shown; also what is copied as text */
  value?: (row: Row) => number | string; /* sorts, and is what CSV has */
  show?: (row: Row) => unknown; /* instead of the text */
  width: number; /* pixels; 0: what is left */
  left?: boolean; /* text is not a number */
  spare?: number; /* where there is no room, the highest are left out first; 0: never */
}

export interface Order {
  key: string; /* of the column */
  rising: boolean;
}

interface Props<Row> {
  label: string;
  columns: Column<Row>[];
  rows: Row[];
  sort?: string; /* key of the column that sorts at first; absent: the order given */
  order?: Order; /* instead of it, where the address keeps the order: what was chosen */
  reorder?: (order: Order) => void; /* keeps it */
  id: (row: Row) => number | string;
  selected?: number | string;
  select?: (row: Row) => void;
  open?: (row: Row) => void;
  key?: string;
  height?: string;
  share?: string; /* of the panel's height, beside another table */
  level?: (row: Row) => number; /* of a tree: from 1 */
  expanded?: (row: Row) => boolean | undefined; /* undefined: no children */
  toggle?: (row: Row, open: boolean) => void;
}

interface Shown {
  top: number;
  height: number;
  room: number; /* width in pixels */
  sort: string;
  rising: boolean;
  cursor: number;
}

export class Table<Row> extends Component<Props<Row>, Shown> {
  private box: HTMLElement | null = null;
  private observer: ResizeObserver | null = null;
  private sortedOf: Row[] | null = null;
  private sorted: Row[] = [];
  private sortedBy = "";

  constructor(props: Props<Row>) {
    super(props);
    this.state = { top: 0, height: 600, room: 2000, sort: props.sort ?? "", rising: false, cursor: -1 };
  }

  componentDidMount(): void {
    const measure = () => {
      const box = this.box;
      if (box && (box.clientHeight !== this.state.height || box.clientWidth !== this.state.room)) this.setState({ height: box.clientHeight, room: box.clientWidth });
    };
    this.observer = new ResizeObserver(measure);
    this.observer.observe(this.box as HTMLElement);
    measure();
    this.reveal(this.indexOfSelected());
  }

  componentWillUnmount(): void {
    this.observer?.disconnect();
  }

  componentDidUpdate(before: Props<Row>): void {
    if (before.selected !== this.props.selected) this.reveal(this.indexOfSelected());
  }

  /* A column that the table doesn't have sorts nothing: the order of another recording's page, or of a range. */
  private order(): Order {
    const { reorder, order, sort, columns } = this.props;
    if (!reorder) return { key: this.state.sort, rising: this.state.rising };
    return order && columns.some((column) => column.key === order.key && column.value) ? order : { key: sort ?? "", rising: false };
  }

  private rows(): Row[] {
    const { rows, columns } = this.props;
    const order = this.order();
    const by = `${order.key} ${order.rising}`;
    if (this.sortedOf === rows && this.sortedBy === by) return this.sorted;
    const value = columns.find((column) => column.key === order.key)?.value;
    this.sorted = rows;
    if (value) {
      const sign = order.rising ? 1 : -1;
      const keyed = rows.map((row, i) => ({ row, i, key: value(row) }));
      keyed.sort((a, b) => (a.key < b.key ? -sign : a.key > b.key ? sign : a.i - b.i));
      this.sorted = keyed.map((item) => item.row);
    }
    this.sortedOf = rows;
    this.sortedBy = by;
    return this.sorted;
  }

  /* Those that leave room for the one that takes the rest. */
  private columns(): Column<Row>[] {
    let shown = this.props.columns;
    const need = () => shown.reduce((sum, column) => sum + (column.width || FLEXIBLE), 0);
    const spare = shown.map((column) => column.spare ?? 0).filter(Boolean).sort((a, b) => b - a);
    for (let i = 0; i < spare.length && need() > this.state.room; i++) shown = shown.filter((column) => column.spare !== spare[i]);
    return shown;
  }

  private indexOfSelected(): number {
    const { selected, id } = this.props;
    return selected === undefined ? -1 : this.rows().findIndex((row) => id(row) === selected);
  }

  private reveal(at: number): void {
    const box = this.box;
    if (!box || at < 0) return;
    const top = at * ROW;
    if (top < box.scrollTop || top + 2 * ROW > box.scrollTop + box.clientHeight - ROW) box.scrollTop = Math.max(0, top - box.clientHeight / 3);
    if (this.state.cursor !== at) this.setState({ cursor: at });
  }

  private sortBy(column: Column<Row>): void {
    if (!column.value) return;
    const text = this.props.rows.length > 0 && typeof column.value(this.props.rows[0]) === "string";
    const order = this.order();
    const rising = order.key === column.key ? !order.rising : text;
    if (this.props.reorder) this.props.reorder({ key: column.key, rising });
    else this.setState({ sort: column.key, rising });
  }

  private walk(event: KeyboardEvent): void {
    const { select, open, expanded, toggle } = this.props;
    const rows = this.rows();
    const page = Math.max(1, Math.floor(this.state.height / ROW) - 2);
    const steps: Record<string, number> = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -Infinity, End: Infinity };
    const step = steps[event.key];
    const row = rows[this.state.cursor];
    const on = this.state.cursor >= 0 && this.state.cursor < rows.length;
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (step !== undefined) {
      const at = Math.max(0, Math.min(rows.length - 1, this.state.cursor + step));
      this.reveal(at);
      this.setState({ cursor: at });
      if (rows.length) select?.(rows[at]);
    } else if (on && event.key === "Enter") (open ?? select)?.(row);
    else if (on && toggle && (event.key === "ArrowRight" || event.key === "ArrowLeft") && expanded?.(row) !== undefined)
      toggle(row, event.key === "ArrowRight");
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  private copyAs(kind: "text" | "CSV"): void {
    const { columns } = this.props;
    const rows = this.rows();
    const head = columns.map((column) => column.key);
    copy(
      kind === "CSV"
        ? csv([head, ...rows.map((row) => columns.map((column) => (column.value ?? column.text)(row)))])
        : [columns.map((column) => column.title), ...rows.map((row) => columns.map((column) => column.text(row)))].map((line) => line.join("\t")).join("\n") + "\n",
    );
  }

  private head() {
    const columns = this.columns();
    const order = this.order();
    return (
      <div role="row" class="head" aria-rowindex={1}>
        {columns.map((column) => (
          <div
            role="columnheader"
            class={column.left ? "cell left" : "cell"}
            style={column.width ? `width:${column.width}px` : "flex:1"}
            aria-sort={order.key !== column.key ? "none" : order.rising ? "ascending" : "descending"}
          >
            {column.value ? (
              <button title={column.hint ?? ""} onClick={() => this.sortBy(column)}>
                {column.title}
                {order.key === column.key ? (order.rising ? " \u25b4" : " \u25be") : ""}
              </button>
            ) : (
              <span title={column.hint ?? ""}>{column.title}</span>
            )}
          </div>
        ))}
      </div>
    );
  }

  private row(row: Row, at: number) {
    const { id, selected, select, open, level, expanded } = this.props;
    const columns = this.columns();
    const classes = ["row", selected !== undefined && id(row) === selected ? "selected" : "", at === this.state.cursor ? "cursor" : ""];
    return (
      <div
        role="row"
        key={String(id(row))}
        class={classes.join(" ")}
        style={`top:${at * ROW}px`}
        aria-rowindex={at + 2}
        aria-selected={String(selected !== undefined && id(row) === selected)}
        aria-level={level?.(row)}
        aria-expanded={expanded?.(row) === undefined ? undefined : String(expanded(row))}
        onClick={() => {
          this.setState({ cursor: at });
          select?.(row);
        }}
        onDblClick={() => open?.(row)}
      >
        {columns.map((column) => (
          <div
            role="gridcell"
            class={column.left ? "cell left" : "cell"}
            style={column.width ? `width:${column.width}px` : "flex:1"}
            title={column.left ? column.text(row) : ""}
          >
            {column.show ? column.show(row) : column.text(row)}
          </div>
        ))}
      </div>
    );
  }

  render() {
    const rows = this.rows();
    const { top, height } = this.state;
    const first = Math.max(0, Math.floor(top / ROW) - SPARE);
    const last = Math.min(rows.length, Math.ceil((top + height) / ROW) + SPARE);
    return (
      <div class="tablebox" style={this.props.height ? `height:${this.props.height}` : this.props.share ? `flex:0 0 ${this.props.share}` : ""}>
        <div class="tools">
          <span>{this.props.label}</span>
          <button onClick={() => this.copyAs("text")} title={`Copy "${this.props.label}" as text`}>
            Copy text
          </button>
          <button onClick={() => this.copyAs("CSV")} title={`Copy "${this.props.label}" as CSV`}>
            Copy CSV
          </button>
        </div>
        <div
          class="table"
          role={this.props.level ? "treegrid" : "grid"}
          aria-label={this.props.label}
          aria-rowcount={rows.length + 1}
          tabIndex={0}
          ref={(element?: Element) => void (this.box = (element as HTMLElement) ?? this.box)}
          onScroll={() => this.box && this.setState({ top: this.box.scrollTop })}
          onKeyDown={(event: KeyboardEvent) => this.walk(event)}
        >
          {this.head()}
          <div role="rowgroup" class="body" style={`height:${Math.max(rows.length * ROW, 1)}px`}>
            {rows.slice(first, last).map((row, i) => this.row(row, first + i))}
          </div>
        </div>
      </div>
    );
  }
}
