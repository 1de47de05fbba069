/* Numbers and names as text: the units of `prof report`. */

const UNITS: [number, string][] = [
  [1e9, "s"],
  [1e6, "ms"],
  [1e3, "us"],
  [1, "ns"],
];

/* Three digits: "1.23 ms". */
export function time(ns: number): string {
  if (!(ns > 0)) return ns < 0 ? "" : "0 ns";
  for (const [size, unit] of UNITS)
    if (ns >= size * 0.9995 || size === 1) {
      const value = ns / size;
      const digits = size === 1 ? 0 : value >= 99.95 ? 0 : value >= 9.995 ? 1 : 2;
      return `${digits === 0 && value >= 1000 ? count(Math.round(value)) : value.toFixed(digits)} ${unit}`;
    }
  return "";
}

/* Of many: below 100 ns with its fraction, "4.31 ns". */
export function each(ns: number): string {
  return ns < 99.95 ? `${ns.toPrecision(3)} ns` : time(ns);
}

/* An estimate has a mark before it. */
export function about(is: boolean | number, text: string): string {
  return is && text ? `~${text}` : text;
}

export function count(value: number): string {
  return value < 0 ? "" : Math.round(value).toLocaleString("en-US");
}

/* "12.3M", for narrow places. */
export function short(value: number): string {
  const units: [number, string][] = [[1e9, "G"], [1e6, "M"], [1e3, "k"]];
  for (const [size, unit] of units) if (value >= size) return (value / size).toPrecision(3) + unit;
  return String(Math.round(value * 10) / 10);
}

export function share(part: number): string {
  if (part > 0 && part < 0.0005) return "<0.1%";
  return `${(part * 100).toFixed(1)}%`;
}

export function bytes(value: number): string {
  const units: [number, string][] = [[2 ** 30, "GiB"], [2 ** 20, "MiB"], [2 ** 10, "KiB"]];
  for (const [size, unit] of units) if (value >= size) return `${(value / size).toPrecision(3)} ${unit}`;
  return `${value} bytes`;
}

export function plural(value: number, noun: string): string {
  return `${count(value)} ${noun}${value === 1 ? "" : noun.endsWith("ss") ? "es" : "s"}`;
}

/* What a name must not do to the text around it: controls, and marks that turn its direction. */
export function clean(name: string): string {
  // eslint-disable-next-line no-control-regex
  return name.replace(/[\u0000-\u001f\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069\ufffe\uffff]/g, "\ufffd");
}

export function cut(name: string, most: number): string {
  return name.length > most ? `${name.slice(0, most - 1)}\u2026` : name;
}

/* Behind the parameters that begin at `at`. */
function behindParameters(name: string, at: number): number {
  let level = 0;
  for (; at < name.length; at++) {
    if (name[at] === "(") level++;
    if (name[at] === ")" && --level === 0) return at + 1;
  }
  return at;
}

/* What tells functions of one name apart: " (a.c)", " (a.c:20)"; parameters have no blank before them. */
const PLACE = / \([^()]*\)$/;

/* Without parameters, template arguments and unnamed scopes, for narrow places. */
export function shortName(name: string): string {
  const place = PLACE.exec(name)?.[0] ?? "";
  return shortPlain(place ? name.slice(0, -place.length) : name) + place;
}

function shortPlain(name: string): string {
  if (name.startsWith("<")) return name; /* Rust: <T as Trait>::method */
  const plain = name.replace(/\(anonymous namespace\)::/g, "");
  let depth = 0;
  let braces = 0; /* of a lambda */
  let out = "";
  for (let at = 0; at < plain.length; at++) {
    const letter = plain[at];
    if (letter === "{") braces++;
    if (braces > 0) {
      if (depth === 0) out += letter;
      if (letter === "}") braces--;
      continue;
    }
    const operator = /operator[<>=-]*$/.test(out);
    if (letter === "<" && !operator) depth++;
    if (letter === "(" && depth === 0 && out && !out.endsWith("operator")) {
      const behind = behindParameters(plain, at);
      if (!/^( const)?::/.test(plain.slice(behind, behind + 8))) break;
      at = behind - 1; /* of the function that a lambda or a class is in */
      continue;
    }
    if (depth === 0) out += letter;
    if (letter === ">" && depth > 0) depth--;
  }
  return out || name;
}

/* At most so many letters: parameters go first, then outer scopes, whole ones if enough is left, then the end. */
export function cutName(name: string, most: number): string {
  const place = PLACE.exec(name)?.[0] ?? "";
  if (place && place.length < most / 2) return cutName(name.slice(0, -place.length), most - place.length) + place;
  const out = name.length > most || name.length > 40 ? shortName(name) : name;
  const last = out.lastIndexOf("::");
  if (out.length <= most || last < 0 || out.length - last >= most) return cut(out, most);
  const tail = out.slice(out.length - most + 1);
  const scope = tail.indexOf("::");
  return `\u2026${scope >= 0 && scope < most / 3 ? tail.slice(scope + 2) : tail}`;
}

/* How well `words` fit a name: letters in order; higher is better, 0: not at all. */
export function fits(name: string, words: string): number {
  const wanted = words.toLowerCase();
  const lower = name.toLowerCase();
  const at = lower.indexOf(wanted);
  if (at >= 0) return 1000 - Math.min(at, 400) - Math.min(lower.length - wanted.length, 400) + (at === 0 ? 200 : 0);
  let from = 0;
  let gaps = 0;
  for (const letter of wanted) {
    if (letter === " ") continue;
    const found = lower.indexOf(letter, from);
    if (found < 0) return 0;
    gaps += found - from;
    from = found + 1;
  }
  return Math.max(1, 150 - gaps);
}

export function csv(rows: (string | number)[][]): string {
  const field = (value: string | number) => {
    let text = String(value);
    if (typeof value === "string" && /^[=+\-@\t\r]/.test(text)) text = `'${text}`;
    return /[",\n\r]/.test(text) ? `"${text.replace(/"/g, '""')}"` : text;
  };
  return rows.map((row) => row.map(field).join(",")).join("\r\n") + "\r\n";
}
