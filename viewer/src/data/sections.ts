/* Unpacks the view format (docs/view-format.md) into its sections. */

export const VERSION = 1;
const HEAD = 16;
const SECTION_HEAD = 24;

function bytesOfBase64(text: string): Uint8Array {
  const raw = atob(text);
  const bytes = new Uint8Array(raw.length);
  for (let i = 0; i < raw.length; i++) bytes[i] = raw.charCodeAt(i);
  return bytes;
}

async function unpack(bytes: Uint8Array): Promise<Uint8Array> {
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/* The sections by name; JSON sections as text. */
export class Sections {
  private readonly parts = new Map<string, Uint8Array>();

  constructor(bytes: Uint8Array) {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const magic = new TextDecoder().decode(bytes.subarray(0, 8));
    if (magic !== "PROFVIEW") throw new Error("the data of this page is damaged: run prof view again");
    const version = view.getUint32(8, true);
    if (version !== VERSION) throw new Error(`this page reads version ${VERSION}, the data has ${version}: run prof view again`);
    for (let at = HEAD; at + SECTION_HEAD <= bytes.length; ) {
      const name = new TextDecoder().decode(bytes.subarray(at, at + 16)).replace(/\0+$/, "");
      const length = view.getUint32(at + 16, true);
      at += SECTION_HEAD;
      this.parts.set(name, bytes.subarray(at, at + length));
      at += (length + 3) & ~3;
    }
    if (!this.parts.has("end")) throw new Error("the data of this page is cut: run prof view again");
  }

  static async ofElement(id: string): Promise<Sections> {
    const element = document.getElementById(id);
    const sections = new Sections(await unpack(bytesOfBase64((element?.textContent ?? "").replace(/\s+/g, ""))));
    element?.remove(); /* its text is megabytes */
    return sections;
  }

  has(name: string): boolean {
    return this.parts.has(name);
  }

  bytes(name: string): Uint8Array {
    return this.parts.get(name) ?? new Uint8Array(0);
  }

  json<T>(name: string): T {
    const bytes = this.parts.get(name);
    return JSON.parse(bytes ? new TextDecoder().decode(bytes) : "{}") as T;
  }
}
