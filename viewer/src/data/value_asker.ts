/* Asks the server for the values of calls: of one selected call at a time, and of one under the mouse. */
import { Model } from "./model";
import { isStale, Server } from "./server";
import { CallPlace, CallValues, keyOf } from "./values";

const HOVER_DELAY = 100; /* ms */
export type Asker = "selected" | "hovered";

export class ValueAsker {
  private asking: Partial<Record<Asker, { of: string; signal: AbortController; timer: number }>> = {};

  /* server: null: all that is known is in the model. */
  constructor(
    private readonly model: Model,
    private readonly server: Server | null,
    private readonly changed: () => void,
    private readonly failed: (fault: unknown) => void,
  ) {}

  /* What a call was given; null: nothing, or not at hand: then `changed` tells when it is. */
  of(call: CallPlace, by: Asker): CallValues | null {
    const { model, server } = this;
    const known = model.values.get(call);
    if (known !== undefined || !server || !model.values.any || call.thread < 0 || keyOf(call) === this.asking[by]?.of) return known ?? null;
    this.stop(by);
    const signal = new AbortController();
    const timer = window.setTimeout(() => void this.take(server, call, signal.signal), by === "hovered" ? HOVER_DELAY : 0);
    this.asking[by] = { of: keyOf(call), signal, timer };
    return null;
  }

  /* The answer is not wanted any more. */
  stop(by: Asker): void {
    window.clearTimeout(this.asking[by]?.timer);
    this.asking[by]?.signal.abort();
    delete this.asking[by];
  }

  private async take(server: Server, call: CallPlace, signal: AbortSignal): Promise<void> {
    try {
      this.model.values.answer(call, await server.values(call, signal));
      this.changed();
    } catch (fault) {
      if (!isStale(fault)) this.failed(fault);
    }
  }
}
