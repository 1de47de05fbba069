/* The keys, in a dialog. */
import { Component, h } from "preact";

const KEYS: [string, [string, string][]][] = [
  ["Everywhere", [["1 to 7", "panels"], ["/, Ctrl-F", "search"], ["?", "this help"], ["l", "longest call of the selected function, then the next"], ["k", "next kind of time: running, waiting, elapsed"], ["b", "flamegraph and functions beside the other recording (--against)"], ["t", "dark or light"], ["Alt Left", "back: the address keeps each step"]]],
  ["Timeline", [["w s, + -", "zoom in, out"], ["a d", "move"], ["0", "all"], ["arrows", "next call, caller, first callee"], ["f, Enter", "zoom to the call or range"], ["n p", "next, previous call of the function"], ["m", "make the call a range"], ["o", "open or close the thread"], ["Escape", "select nothing"]]],
  ["Flamegraph", [["arrows", "walk frames"], ["Enter", "zoom in"], ["Escape", "back"], ["0", "whole picture"], ["r", "reverse"], ["g", "GPU time, by the calls that launched it"]]],
  ["Source", [["i", "instructions beside the source"], ["up, down", "walk instructions"], ["Enter", "open what was inlined there"]]],
  ["Tables", [["arrows, Page Up, Home", "walk rows"], ["Enter", "open the row"], ["Right, Left", "open and close a row of the call tree"]]],
];

export class Help extends Component<{ close: () => void }, object> {
  private button: HTMLElement | null = null;

  componentDidMount(): void {
    this.button?.focus();
  }

  render() {
    return (
      <div class="veil" onClick={() => this.props.close()}>
        <div class="dialog help" role="dialog" aria-modal="true" aria-label="Keys" onClick={(event: Event) => event.stopPropagation()}>
          <h2>Keys</h2>
          <div class="keys">
            {KEYS.map(([title, keys]) => (
              <section>
                <h3>{title}</h3>
                <dl>{keys.map(([key, what]) => [<dt><kbd>{key}</kbd></dt>, <dd>{what}</dd>])}</dl>
              </section>
            ))}
          </div>
          <button ref={(element?: Element) => void (this.button = (element as HTMLElement) ?? this.button)} onClick={() => this.props.close()}>
            Close (Escape)
          </button>
        </div>
      </div>
    );
  }
}
