/* Parts of the timeline that the server has worked out more finely than the overview: the best one at hand, and which to ask for. */
import { Lanes } from "./lanes";
import { Model } from "./model";
import { isStale, Server } from "./server";

const MOST = 8; /* parts that are kept */
const MOST_COLUMNS = 16384;

interface Tile {
  t0: number;
  t1: number;
  column: number; /* ns: as fine as was asked for */
  lanes: Lanes;
}

interface Wish {
  t0: number;
  t1: number;
  width: number;
}

export class Tiles {
  private kept: Tile[] = []; /* the one used last comes first */
  private asking = false;
  private wish: Wish | null = null; /* to be asked for next */

  constructor(
    private readonly model: Model,
    private readonly server: Server,
    private readonly changed: () => void,
    private readonly failed: (fault: unknown) => void,
  ) {}

  private covers(tile: Tile, t0: number, t1: number): boolean {
    return tile.t0 <= Math.max(t0, 0) && tile.t1 >= Math.min(t1, this.model.end);
  }

  /* The finest that has all of the span: the overview has everything. */
  best(t0: number, t1: number): Lanes {
    let best: Tile | undefined;
    for (const tile of this.kept) if (this.covers(tile, t0, t1) && tile.lanes.step < (best?.lanes.step ?? this.model.lanes.step)) best = tile;
    return best?.lanes ?? this.model.lanes;
  }

  /* What is in view now.  Asks for a part with as much again on both sides, if there is none that is fine enough. */
  look(t0: number, t1: number, width: number): void {
    const column = (t1 - t0) / Math.max(width, 1);
    const fine = this.kept.findIndex((tile) => this.covers(tile, t0, t1) && (tile.column <= column * 1.01 || tile.lanes.step === 1));
    if (fine > 0) this.kept.unshift(...this.kept.splice(fine, 1));
    this.wish = null;
    if (fine < 0 && this.model.lanes.step > Math.max(column, 1)) this.ask({ t0, t1, width });
    else if (fine >= 0) this.lookAhead({ t0, t1, width }, this.kept[0]);
  }

  /* The part ends soon: the next one is fetched before it is needed. */
  private lookAhead(wish: Wish, tile: Tile): void {
    const near = (wish.t1 - wish.t0) / 2;
    const left = tile.t0 > 0 && wish.t0 - tile.t0 < near;
    const right = tile.t1 < this.model.end && tile.t1 - wish.t1 < near;
    if ((left || right) && tile.column > (wish.t1 - wish.t0) / wish.width / 4) this.ask(wish);
  }

  private ask(wish: Wish): void {
    if (this.asking) this.wish = wish;
    else void this.fetch(wish);
  }

  private async fetch(wish: Wish): Promise<void> {
    const span = wish.t1 - wish.t0;
    const t0 = Math.max(0, Math.floor(wish.t0 - span));
    const t1 = Math.max(t0 + 1, Math.ceil(Math.min(wish.t1 + span, this.model.end + 1)));
    const columns = Math.min(MOST_COLUMNS, Math.max(1, Math.ceil(((t1 - t0) / span) * wish.width)));
    this.asking = true;
    try {
      const sections = await this.server.view(this.model, t0, t1, columns);
      this.kept.unshift({ t0, t1, column: (t1 - t0) / columns, lanes: new Lanes(sections.bytes("lanes")) });
      this.kept.length = Math.min(this.kept.length, MOST);
    } catch (fault) {
      if (!isStale(fault)) this.failed(fault);
    }
    this.asking = false;
    const next = this.wish;
    this.wish = null;
    this.changed();
    if (next) this.look(next.t0, next.t1, next.width);
  }
}
