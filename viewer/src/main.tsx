/* Unpacks the data of the page and shows it. */
import { h, render } from "preact";
import { App } from "./app";
import { Model } from "./data/model";
import { Sections } from "./data/sections";
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

async function start(): Promise<void> {
  followTheme();
  const root = document.getElementById("app") as HTMLElement;
  try {
    const store = new Store(new Model(await Sections.ofElement("prof-data")));
    render(<App store={store} />, root);
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
