/* The server that this page comes from, if it comes from one: docs/view-format.md, "From a server". */
import { Model } from "./model";
import { Sections } from "./sections";
import { CallPlace, ValueColumns } from "./values";

export interface Progress {
  reading: number;
  stage: "sketch" | "timeline" | "whole"; /* how much of it is there: long calls; all calls; figures too */
  done_share: number;
  live: boolean;
  in_progress: boolean;
  data_age_ns: number;
  empty: boolean;
}

export interface Next {
  found: boolean;
  thread: number;
  depth: number;
  begin_ns: number;
  end_ns: number;
}

/* What the server says when it does not answer. */
export class Refused extends Error {
  constructor(readonly status: number, text: string) {
    super(text);
  }
}
const STALE = 409;

export class Server {
  private reading = 0;
  private stage = "";

  /* null: this page is a file, which has its data. */
  static ofPage(): Server | null {
    return document.getElementById("prof-data") ? null : new Server();
  }

  private async ask(path: string, signal?: AbortSignal): Promise<Sections> {
    let answer: Response;
    try {
      answer = await fetch(path, { cache: "no-store", signal });
    } catch (fault) {
      if (signal?.aborted) throw fault;
      throw new Refused(0, "the server has ended: run prof view again");
    }
    if (!answer.ok) throw new Refused(answer.status, (await answer.text()).trim());
    return new Sections(new Uint8Array(await answer.arrayBuffer()));
  }

  /* Of the present reading; names of frames and files that the model lacks come with the answer. */
  private async askOf(model: Model, path: string, signal?: AbortSignal): Promise<Sections> {
    const { frames } = model;
    const sections = await this.ask(`${path}&g=${this.reading}&frames=${frames.name.length}&files=${frames.files.length}&modules=${frames.modules.length}`, signal);
    if (sections.has("frames")) model.addFrames(sections.json("frames"));
    return sections;
  }

  async progress(): Promise<Progress> {
    return (await this.ask("progress")).json("progress");
  }

  /* All figures of the present reading; null: it has no calls yet. */
  async overview(): Promise<{ sections: Sections | null; progress: Progress }> {
    for (;;) {
      const progress = await this.progress();
      this.reading = progress.reading;
      this.stage = progress.stage;
      if (progress.empty) return { sections: null, progress };
      try {
        return { sections: await this.ask(`data?g=${progress.reading}`), progress };
      } catch (fault) {
        if (!(fault instanceof Refused) || fault.status !== STALE) throw fault;
      }
    }
  }

  isOld(progress: Progress): boolean {
    return progress.reading !== this.reading || progress.stage !== this.stage;
  }

  view(model: Model, t0: number, t1: number, columns: number): Promise<Sections> {
    return this.askOf(model, `view?t0=${t0}&t1=${t1}&px=${columns}`);
  }

  /* The server stops when `signal` aborts it. */
  range(model: Model, t0: number, t1: number, signal: AbortSignal): Promise<Sections> {
    return this.askOf(model, `range?t0=${t0}&t1=${t1}`, signal);
  }

  /* The next call of a function that begins after a time, or the last one before it; null: there is none. */
  async next(frame: number, t: number, back: boolean, signal: AbortSignal): Promise<Next | null> {
    const next = (await this.ask(`next?frame=${frame}&t=${Math.round(t)}${back ? "&back=1" : ""}&g=${this.reading}`, signal)).json<Next>("next");
    return next.found ? next : null;
  }

  /* What a call was given; the server may need seconds for a long one, and stops when `signal` aborts it. */
  async values(call: CallPlace, signal: AbortSignal): Promise<ValueColumns> {
    return (await this.ask(`values?thread=${call.thread}&depth=${call.depth}&t=${Math.round(call.begin)}&g=${this.reading}`, signal)).json<ValueColumns>("values");
  }

  source(model: Model, file: number): Promise<Sections> {
    return this.askOf(model, `source?file=${file}`);
  }

  code(model: Model, frame: number): Promise<Sections> {
    return this.askOf(model, `code?frame=${frame}`);
  }
}

/* No fault: the recording was read again meanwhile, and the page gets the new reading by itself; or the page wants something else now. */
export function isStale(fault: unknown): boolean {
  return (fault instanceof Refused && fault.status === STALE) || (fault instanceof DOMException && fault.name === "AbortError");
}
