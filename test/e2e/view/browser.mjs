// Plays a user in Chromium: node browser.mjs NODE_MODULES CHROMIUM PAGE FOLDER STEPS, STEPS as JSON; PAGE is a file or an address.
// Steps: ["click", selector, text] · ["key", keys...] · ["tab", text]: until that has the focus · ["see", name, selector] (texts) · ["wait", selector, text] ·
// ["hash", name] · ["axe", name] · ["go", hash] · ["size", width, height] · ["shot", file] · ["drag", selector, x0, x1, y] · ["hover", selector, x, y] · ["eval", name, script]
// · ["timed", name, key, times]: milliseconds from each press until it is drawn and nothing is asked for any more
// · ["until", script]: waits until it is true
// · ["save", name, selector, text]: the file that a click downloads, in base64 · ["tell", file]: makes the file, for the test that waits for it
// Prints one JSON object: what was seen by name, console messages, requests beyond the page.
import { writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

const [modules, browserPath, file, , json] = process.argv.slice(2);
const require = createRequire(`${modules}/`);
const { chromium } = require("playwright-core");
const axe = require("axe-core").source;
const WAIT_MS = 600000; // for a machine under load; nothing is measured
const served = file.startsWith("http:"); // by prof view, else a file
const out = { seen: {}, console: [], requests: [] };

const browser = await chromium.launch({ executablePath: browserPath, timeout: WAIT_MS });
const context = await browser.newContext({ viewport: { width: 1280, height: 720 }, offline: !served, permissions: ["clipboard-read", "clipboard-write"] });
const page = await context.newPage();
page.setDefaultTimeout(WAIT_MS);
page.on("console", (message) => out.console.push(`${message.type()}: ${message.text()}`));
page.on("pageerror", (fault) => out.console.push(`error: ${fault.stack}`));
page.on("request", (request) => {
  if (!/^(data|blob):/.test(request.url())) out.requests.push(request.url());
});

let pending = 0; // requests to a server
const isAsked = (request) => request.url().startsWith("http");
page.on("request", (request) => (pending += isAsked(request)));
page.on("requestfinished", (request) => (pending -= isAsked(request)));
page.on("requestfailed", (request) => (pending -= isAsked(request)));
const drawn = () => page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));

/* What a key or a click changes is drawn, and answered. */
const settled = async () => {
  do await drawn();
  while (pending > 0);
};

const withText = (selector, text) => (text === undefined ? page.locator(selector).first() : page.locator(selector).filter({ hasText: text }).first());
const steps = {
  click: (selector, text) => withText(selector, text).click(),
  key: async (...keys) => {
    for (const key of keys) await page.keyboard.press(key);
  },
  timed: async (name, key, times) => {
    out.seen[name] = [];
    for (let i = 0; i < times; i++) {
      const pressed = performance.now();
      await page.keyboard.press(key);
      await settled();
      out.seen[name].push(performance.now() - pressed);
    }
  },
  type: (text) => page.keyboard.type(text),
  tab: async (text) => {
    for (let i = 0; i < 60; i++) {
      await page.keyboard.press("Tab");
      if (await page.evaluate((wanted) => document.activeElement.matches("main button") && document.activeElement.textContent.includes(wanted), text)) return;
    }
    throw new Error(`Tab does not reach ${text}`);
  },
  see: async (name, selector) => {
    await settled();
    out.seen[name] = await page.locator(selector).allInnerTexts();
  },
  wait: (selector, text) => withText(selector, text).waitFor(),
  hash: async (name) => {
    await settled();
    // The address follows small steps 250 ms later, by a timer of the page; one that begins now and takes longer comes after it.
    await page.evaluate(() => new Promise((done) => setTimeout(done, 400)));
    out.seen[name] = await page.evaluate(() => decodeURIComponent(location.hash));
  },
  axe: async (name) => {
    await page.evaluate(axe);
    out.seen[name] = await page.evaluate(async () => {
      const found = await window.axe.run(document);
      return found.violations.map((fault) => `${fault.id}: ${fault.nodes.map((node) => node.html.slice(0, 160)).slice(0, 4).join(" | ")}`);
    });
  },
  go: (hash) => page.evaluate((to) => (location.hash = to), hash),
  size: (width, height) => page.setViewportSize({ width, height }),
  shot: (path) => page.screenshot({ path }),
  theme: (scheme) => page.emulateMedia({ colorScheme: scheme }),
  drag: async (selector, from, to, y) => {
    const box = await page.locator(selector).first().boundingBox();
    await page.mouse.move(box.x + from * box.width, box.y + y);
    await page.mouse.down();
    await page.mouse.move(box.x + to * box.width, box.y + y, { steps: 4 });
    await page.mouse.up();
  },
  point: async (selector, x, y) => {
    const box = await page.locator(selector).first().boundingBox();
    await page.mouse.click(box.x + x * box.width, box.y + y);
  },
  hover: async (selector, x, y) => {
    const box = await page.locator(selector).first().boundingBox();
    await page.mouse.move(box.x + x * box.width, box.y + y);
  },
  save: async (name, selector, text) => {
    const [download] = await Promise.all([page.waitForEvent("download"), withText(selector, text).click()]);
    const stream = await download.createReadStream();
    const parts = [];
    for await (const part of stream) parts.push(part);
    out.seen[name] = Buffer.concat(parts).toString("base64");
  },
  until: async (script) => {
    // not waitForFunction: the page's policy forbids eval
    for (const end = Date.now() + WAIT_MS; Date.now() < end; await page.waitForTimeout(100))
      if (await page.evaluate(script)) return;
    throw new Error(`never true: ${script}`);
  },
  tell: (path) => writeFileSync(path, ""),
  eval: async (name, script) => {
    out.seen[name] = await page.evaluate(script);
  },
};

const begun = Date.now();
await page.goto(served ? file : pathToFileURL(file).href);
await page.waitForSelector("html[data-ready]");
out.ready_ms = Date.now() - begun;
for (const [step, ...words] of JSON.parse(json)) await steps[step](...words);
await browser.close();
console.log(JSON.stringify(out));
