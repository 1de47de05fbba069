/* Unpacks the data of the page and shows it. */
import { h, render } from "preact";
import { App } from "./app";
import { Model } from "./data/model";
import { Sections } from "./data/sections";
import { Progress, Server } from "./data/server";
import { Store } from "./state";
import "./style.css";
import "./parts/parts.css";
import "./panels/panels.css";

/* Dark or light as the system has it, until the user chooses. */
function followTheme(): void {
  const dark = window.matchMedia("(prefers-color-scheme: dark)");
  const follow = () => {
    if (!document.documentElement.dataset.chosen) document.documentElement.dataset.theme = dark.matches ? "dark" : "light";
  };
  dark.addEventListener("change", follow);
  follow();
}

const POLL = 1000; /* ms */
const POLL_READING = 200;

function pause(ms = POLL): Promise<void> {
  return new Promise((done) => window.setTimeout(done, ms));
}

/* Whether there will be more than this. */
function goesOn(progress: Progress | null): boolean {
  return progress !== null && (progress.stage !== "whole" || (progress.live && progress.in_progress));
}

/* A recording that has just begun may have no calls yet. */
async function firstOf(server: Server, root: HTMLElement): Promise<{ sections: Sections; progress: Progress }> {
  root.textContent = "prof view: reading the recording";
  for (;;) {
    const { sections, progress } = await server.overview();
    if (sections) return { sections, progress };
    root.textContent = "prof view: the recording has no calls yet";
    await pause();
  }
}

/* Takes each stage of a reading, and each new reading of a live recording, until that ends. */
async function follow(server: Server, store: Store): Promise<void> {
  try {
    while (goesOn(store.progress)) {
      const reading = store.progress?.stage !== "whole";
      await pause(reading ? POLL_READING : POLL);
      if (!reading && (store.paused || document.hidden)) continue;
      const progress = await server.progress();
      if (server.isOld(progress)) {
        const next = await server.overview();
        store.progress = next.progress;
        if (next.sections) store.replace(new Model(next.sections));
      } else {
        store.setProgress(progress);
      }
    }
  } catch (fault) {
    store.fail(fault);
  }
}

async function start(): Promise<void> {
  followTheme();
  const root = document.getElementById("app") as HTMLElement;
  const server = Server.ofPage();
  try {
    const first = server ? await firstOf(server, root) : { sections: await Sections.ofElement("prof-data"), progress: null };
    const store = new Store(new Model(first.sections), server);
    store.progress = first.progress;
    root.textContent = ""; /* what was said while waiting */
    render(<App store={store} />, root);
    if (server) void follow(server, store);
    const said = document.createElement("p"); /* its text is not preact's */
    said.id = "said";
    said.setAttribute("role", "status");
    document.body.appendChild(said);
    document.documentElement.dataset.ready = "true";
  } catch (fault) {
    root.textContent = `prof view: ${fault instanceof Error ? fault.message : String(fault)}`;
    throw fault;
  }
}

void start();
