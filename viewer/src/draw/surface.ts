/* Rectangles and labels, on a canvas or as SVG. */

export interface Surface {
  rect(x: number, y: number, width: number, height: number, fill: string, title?: string): void;
  text(text: string, x: number, y: number, most: number, fill: string, bold?: boolean): void;
  strip(colors: Uint32Array, y: number, height: number): void; /* 0xAABBGGRR per column */
}

export const FONT = "12px system-ui, 'DejaVu Sans', 'Liberation Sans', sans-serif";

export class CanvasSurface implements Surface {
  private readonly widths = new Map<string, number>();
  private readonly row: HTMLCanvasElement = document.createElement("canvas");
  readonly context: CanvasRenderingContext2D;
  width = 1; /* CSS pixels */
  height = 1;

  constructor(readonly canvas: HTMLCanvasElement) {
    this.context = canvas.getContext("2d") as CanvasRenderingContext2D;
  }

  begin(width: number, height: number, background: string): void {
    const scale = (window.devicePixelRatio || 1) / this.zoom(width);
    this.width = width;
    this.height = height;
    if (this.canvas.width !== Math.round(width * scale) || this.canvas.height !== Math.round(height * scale)) {
      this.canvas.width = Math.round(width * scale);
      this.canvas.height = Math.round(height * scale);
    }
    this.context.setTransform(scale, 0, 0, scale, 0, 0);
    this.context.fillStyle = background;
    this.context.fillRect(0, 0, width, height);
    this.context.font = FONT;
    this.context.textBaseline = "middle";
    this.context.imageSmoothingEnabled = false;
  }

  /* Own pixels for one of the window's: the style sheet may magnify the page. */
  zoom(width = this.width): number {
    const shown = this.canvas.getBoundingClientRect().width;
    return shown > 0 ? width / shown : 1;
  }

  /* A point of the window on the canvas. */
  point(event: MouseEvent): { x: number; y: number } {
    const box = this.canvas.getBoundingClientRect();
    return { x: (event.clientX - box.left) * this.zoom(), y: (event.clientY - box.top) * this.zoom() };
  }

  rect(x: number, y: number, width: number, height: number, fill: string): void {
    this.context.fillStyle = fill;
    this.context.fillRect(x, y, width, height);
  }

  text(text: string, x: number, y: number, most: number, fill: string, bold = false): void {
    if (most < 18) return;
    const each = this.measure("n");
    let shown = text.slice(0, Math.ceil((most / each) * 2.2));
    while (shown.length > 1 && this.measure(shown) > most) shown = `${shown.slice(0, Math.floor((shown.length * most) / this.measure(shown)) - 1)}\u2026`;
    if (shown.length < 2 && text.length > 1) return;
    this.context.font = bold ? `bold ${FONT}` : FONT;
    this.context.fillStyle = fill;
    this.context.fillText(shown, x, y);
    this.context.font = FONT;
  }

  private measure(text: string): number {
    let width = this.widths.get(text);
    if (width === undefined) {
      if (this.widths.size > 20000) this.widths.clear();
      this.widths.set(text, (width = this.context.measureText(text).width));
    }
    return width;
  }

  strip(colors: Uint32Array, y: number, height: number): void {
    if (this.row.width !== colors.length || this.row.height !== 1) {
      this.row.width = colors.length;
      this.row.height = 1;
    }
    const context = this.row.getContext("2d") as CanvasRenderingContext2D;
    const image = new ImageData(new Uint8ClampedArray(colors.buffer, colors.byteOffset, colors.length * 4), colors.length, 1);
    context.putImageData(image, 0, 0);
    this.context.drawImage(this.row, 0, 0, colors.length, 1, 0, y, colors.length, height);
  }
}

const ESCAPES: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
function escape(text: string): string {
  return text.replace(/[&<>"]/g, (letter) => ESCAPES[letter]);
}

export class SvgSurface implements Surface {
  private readonly parts: string[] = [];

  constructor(private readonly width: number, private readonly height: number, background: string) {
    this.rect(0, 0, width, height, background);
  }

  rect(x: number, y: number, width: number, height: number, fill: string, title?: string): void {
    const shape = `<rect x="${x.toFixed(1)}" y="${y.toFixed(1)}" width="${Math.max(width, 0).toFixed(1)}" height="${height.toFixed(1)}" fill="${escape(fill)}"`;
    this.parts.push(title ? `${shape}><title>${escape(title)}</title></rect>` : `${shape}/>`);
  }

  text(text: string, x: number, y: number, most: number, fill: string, bold = false): void {
    const letters = Math.floor(most / 6.6);
    if (letters < 2) return;
    const shown = text.length > letters ? `${text.slice(0, letters - 1)}\u2026` : text;
    this.parts.push(
      `<text x="${x.toFixed(1)}" y="${y.toFixed(1)}" fill="${escape(fill)}"${bold ? ' font-weight="bold"' : ""}>${escape(shown)}</text>`,
    );
  }

  strip(colors: Uint32Array, y: number, height: number): void {
    for (let x = 0; x < colors.length; ) {
      let end = x + 1;
      while (end < colors.length && colors[end] === colors[x]) end++;
      const color = colors[x];
      const alpha = (color >>> 24) / 255;
      if (alpha > 0)
        this.rect(x, y, end - x, height, `rgba(${color & 255},${(color >> 8) & 255},${(color >> 16) & 255},${alpha.toFixed(2)})`);
      x = end;
    }
  }

  finish(): Blob {
    const head = `<svg xmlns="http://www.w3.org/2000/svg" width="${this.width}" height="${this.height}" font-family="sans-serif" font-size="12" dominant-baseline="middle">`;
    return new Blob([head, ...this.parts, "</svg>\n"], { type: "image/svg+xml" });
  }
}
