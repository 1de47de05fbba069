/* A function, call, line or thread as something to click, and bars. */
import { h } from "preact";
import { Store } from "../state";
import { clean, cutName, share } from "../text";
import { colorOf } from "../draw/color";

export function FunctionLink(props: { store: Store; frame: number; most?: number }) {
  const { store, frame } = props;
  if (frame < 0) return <span class="quiet">outside of instrumented functions</span>;
  const name = clean(store.model.name(frame));
  return (
    <button class="link" title={name} onClick={() => store.showFunction(frame)}>
      <span class="swatch" style={`background:${colorOf(store.model, frame)}`} />
      {cutName(name, props.most ?? 90)}
    </button>
  );
}

export function LineLink(props: { store: Store; file: number; line: number }) {
  const { store, file, line } = props;
  if (file < 0) return <span class="quiet">unknown line</span>;
  const path = clean(store.model.file(file));
  return (
    <button class="link" title={`${path}:${line}`} onClick={() => store.showSource(file, line)}>
      {path.slice(path.lastIndexOf("/") + 1)}
      {line > 0 ? `:${line}` : ""}
    </button>
  );
}

export function Bar(props: { part: number; title?: string }) {
  return (
    <span class="bar" title={props.title ?? ""}>
      <span style={`width:${Math.min(100, Math.max(0, props.part * 100)).toFixed(2)}%`} />
      <em>{share(props.part)}</em>
    </span>
  );
}
