// Reads profiles with speedscope's own importers and prints, for each file, its name and the nanoseconds in it.
//
//   node speedscope_totals.mjs FOLDER-OF-THE-PACKAGE FILE...
//
// The package ships its importers only inside the web page's script.  That script is run without a page: everything
// that it asks of a browser is answered by an object that agrees to anything, and the importers are handed out at the
// place where the page itself takes them.
import fs from "node:fs";
import path from "node:path";
import vm from "node:vm";

function nothing() {
  return new Proxy(function () {}, {
    get: (target, key) => key === Symbol.toPrimitive ? () => "" : key === "length" ? 0 : key === Symbol.iterator ?
      function* () {} : nothing(),
    apply: nothing, construct: nothing, set: () => true, has: () => true,
  });
}

function importers(folder) {
  const release = path.join(folder, "dist/release");
  const file = fs.readdirSync(release).find(name => /^speedscope-.*\.js$/.test(name));
  let script = fs.readFileSync(path.join(release, file), "utf8");
  const exported = script.match(/([\w$]+),\{importFromFileSystemDirectoryEntry/);
  const taken = exported && script.match(new RegExp(`Promise\\.resolve\\(\\)\\.then\\(\\(\\)=>(\\([\\w$]+\\(\\),${exported[1]}\\))\\)`));
  if (!taken) throw new Error("this version of speedscope is put together in another way");
  script = script.replace(taken[0], `(handOut(()=>${taken[1]}),${taken[0]})`);
  let open;
  const page = { handOut: opener => { open = opener; }, console: { log() {}, warn() {}, error() {} },
    document: nothing(), navigator: nothing(), location: nothing(), localStorage: nothing(), getComputedStyle: nothing(),
    requestAnimationFrame: nothing(), matchMedia: nothing(), alert() {}, TextDecoder, TextEncoder, Blob, URL, atob, btoa,
    setTimeout: () => 0, clearTimeout() {}, HTMLElement: class {}, Element: class {}, Image: class {}, performance };
  page.window = page.self = page;
  page.addEventListener = page.removeEventListener = () => {};
  try {
    vm.runInNewContext(script, page, { filename: file });
  } catch (error) {
    if (!open) throw error; // what fails later is the page, which nobody wants
  }
  return open();
}

async function total(read, file) {
  const bytes = fs.readFileSync(file);
  const group = await read(path.basename(file), bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length));
  if (!group) throw new Error("no importer took it");
  const scale = { nanoseconds: 1, microseconds: 1e3, milliseconds: 1e6, seconds: 1e9, none: 1 };
  let sum = 0;
  const frames = new Set();
  for (const profile of group.profiles) {
    sum += profile.getTotalNonIdleWeight() * scale[profile.getWeightUnit()];
    profile.forEachFrame(frame => frames.add(frame.name));
  }
  return [path.basename(file), sum.toFixed(3), group.profiles.length, frames.size].join("\t");
}

const [folder, ...files] = process.argv.slice(2);
let at = folder;
try {
  const read = importers(folder).importProfilesFromArrayBuffer;
  for (at of files) console.log(await total(read, at));
} catch (error) {
  console.error(at + ": " + error.message); // not the stack: it would show the page's whole script
  process.exit(1);
}
