/* Processes and threads: how long each took, and how much of it it ran or waited. */
import { Component, h } from "preact";
import { Model } from "../data/model";
import { Table } from "../parts/table";
import { RangeNote } from "../parts/range_note";
import { Store } from "../state";
import { clean, count, plural, time } from "../text";

/* Running, waiting and preempted time as parts of a bar. */
export function StateBar(props: { running: number; waiting: number; preempted: number }) {
  const all = Math.max(1, props.running + props.waiting + props.preempted);
  const part = (ns: number) => `width:${((ns / all) * 100).toFixed(2)}%`;
  return (
    <span class="states" title={`${time(props.running)} running, ${time(props.waiting)} waiting, ${time(props.preempted)} preempted`}>
      <span class="running" style={part(props.running)} />
      <span class="waiting" style={part(props.waiting)} />
      <span class="preempted" style={part(props.preempted)} />
    </span>
  );
}

/* Calls of a process' first thread, or the thread itself. */
export function firstThread(store: Store, process: number): number {
  return store.model.threads.process.indexOf(process);
}

export class Threads extends Component<{ store: Store }, object> {
  private model: Model | null = null; /* that the following is of */
  private threads: number[] = [];
  private processes: number[] = [];

  private list(model: Model): void {
    if (this.model === model) return;
    this.model = model;
    this.threads = model.threads.name.map((_, i) => i).filter((i) => model.threads.total_ns[i] > 0 || model.lanes.byThread.has(i));
    this.processes = model.processes.name.map((_, i) => i).filter((i) => model.processes.threads[i] > 0);
  }

  private columns(of: Store["model"]["threads"] | Store["model"]["processes"], known: boolean) {
    const parts = [
      { key: "running_ns", title: "Running", width: 88, value: (i: number) => of.running_ns[i], text: (i: number) => time(of.running_ns[i]) },
      { key: "waiting_ns", title: "Waiting", width: 88, value: (i: number) => of.waiting_ns[i], text: (i: number) => time(of.waiting_ns[i]) },
      { key: "preempted_ns", title: "Preempted", width: 100, value: (i: number) => of.preempted_ns[i], text: (i: number) => time(of.preempted_ns[i]) },
      { key: "states", title: "States", width: 120, text: () => "", show: (i: number) => <StateBar running={of.running_ns[i]} waiting={of.waiting_ns[i]} preempted={of.preempted_ns[i]} /> },
    ];
    return [
      { key: "elapsed_ns", title: "Elapsed", hint: "from its begin to its end", width: 88, value: (i: number) => of.end_ns[i] - of.begin_ns[i], text: (i: number) => time(of.end_ns[i] - of.begin_ns[i]) },
      { key: "total_ns", title: "In calls", hint: "in instrumented functions", width: 88, value: (i: number) => of.total_ns[i], text: (i: number) => time(of.total_ns[i]) },
      ...(known ? parts : []),
      { key: "calls", title: "Calls", width: 110, value: (i: number) => of.calls[i], text: (i: number) => count(of.calls[i]) },
      { key: "begin_ns", title: "Began at", width: 88, value: (i: number) => of.begin_ns[i], text: (i: number) => time(of.begin_ns[i]) },
    ];
  }

  private processTable() {
    const { store } = this.props;
    const { model } = store;
    const { processes } = model;
    return (
      <Table<number>
        label={plural(this.processes.length, "process")}
        rows={this.processes}
        sort="elapsed_ns"
        {...store.ordered("processes")}
        id={(i) => i}
        share="45%"
        open={(i) => store.showThread(firstThread(store, i))}
        columns={[
          {
            key: "process", title: "Process", left: true, width: 0, value: (i) => processes.name[i], text: (i) => `${clean(processes.name[i])} ${processes.pid[i]}`,
            show: (i) => (
              <button class="link" title={clean(processes.program[i])} onClick={() => store.showThread(firstThread(store, i))}>
                {clean(processes.name[i])} {processes.pid[i]}
              </button>
            ),
          },
          { key: "threads", title: "Threads", width: 84, value: (i) => processes.threads[i], text: (i) => count(processes.threads[i]) },
          ...this.columns(processes, model.meta.has_switches),
        ]}
      />
    );
  }

  render() {
    const { store } = this.props;
    const { model } = store;
    this.list(store.model);
    return (
      <div class="main">
        <RangeNote store={store} whole={true} />
        {this.processes.length > 1 && this.processTable()}
        <Table<number>
          label={plural(this.threads.length, "thread")}
          rows={this.threads}
          sort={model.meta.has_switches ? "waiting_ns" : "elapsed_ns"}
          {...store.ordered("threads")}
          id={(i) => i}
          selected={store.state.thread >= 0 ? store.state.thread : undefined}
          select={(i) => store.move({ thread: i })}
          open={(i) => store.showThread(i)}
          columns={[
            {
              key: "thread", title: "Thread", left: true, width: 0, value: (i) => model.threadName(i), text: (i) => clean(model.threadName(i)),
              show: (i) => (
                <button class="link" onClick={() => store.showThread(i)}>
                  {clean(model.threadName(i))}
                </button>
              ),
            },
            ...this.columns(model.threads, model.meta.has_switches),
          ]}
        />
        <p class="quiet note">
          Enter or a click on a name shows it on the timeline; the flamegraph and the call tree are then of that thread. {model.meta.has_switches ? "Running, waiting and preempted are parts of the time in calls; waits outside of them are on the timeline." : ""}
        </p>
      </div>
    );
  }
}
