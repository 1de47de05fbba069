// The script inside every flamegraph: zoom, search, keys.  Plain DOM calls, nothing is loaded, names only ever become
// text nodes.  Positions are percent of the width of #frames, as in the file.
(function() {
"use strict";
const svg = document.documentElement;
const box = document.getElementById("frames");
const bar = document.getElementById("bar");
const details = document.getElementById("details");
const reset = document.getElementById("reset");
const search = document.getElementById("search");
const hint = "click or Enter: zoom \u00b7 arrows: move \u00b7 /: search \u00b7 Esc: back";
const note = details.textContent;
const frames = [];
let zoom = null, here = null, typing = false, pattern = "", charWidth = 7.25;

function number(element, name) { return parseFloat(element.getAttribute(name)); }

function collect() {
  for (const group of box.querySelectorAll("g.f")) {
    const rect = group.querySelector("rect");
    const title = group.querySelector("title").textContent;
    const end = title.lastIndexOf("\n");
    const frame = {
      group,
      rect,
      text : group.querySelector("text"),
      name : title.slice(0, end),
      facts : title.slice(end + 1),
      x : number(rect, "x"),
      width : number(rect, "width"),
      y : number(rect, "y"),
      match : false
    };
    group.tabIndex = -1;
    group.frame = frame;
    frames.push(frame);
  }
  zoom = here = frames[0];
}

function measure() {
  const probe = document.createElementNS(svg.namespaceURI, "text");
  probe.textContent = "0".repeat(50);
  svg.appendChild(probe);
  charWidth = probe.getComputedTextLength() / 50 || charWidth;
  probe.remove();
}

// The label's viewport has the frame's width and clips it; what doesn't fit by the font's width is cut with a mark.
function label(frame, x, width, pixels) {
  const room = Math.floor((width * pixels / 100 - 6) / charWidth);
  if (room < 3) {
    if (frame.text)
      frame.text.textContent = "";
    return;
  }
  if (!frame.text) {
    const view = document.createElementNS(svg.namespaceURI, "svg");
    view.setAttribute("y", frame.y);
    view.setAttribute("height", frame.rect.getAttribute("height"));
    frame.text = document.createElementNS(svg.namespaceURI, "text");
    frame.text.setAttribute("x", "3");
    frame.text.setAttribute("y", "12");
    view.appendChild(frame.text);
    frame.group.appendChild(view);
  }
  frame.text.parentNode.setAttribute("x", x + "%");
  frame.text.parentNode.setAttribute("width", width + "%");
  const letters = Array.from(frame.name.slice(0, 4 * room));
  frame.text.textContent = letters.length > room ? letters.slice(0, room - 1).join("") + "\u2026" : frame.name;
}

// What lies beyond the zoomed frame's edges is hidden; what it lies on is as wide as the picture.
function draw() {
  const pixels = box.getBoundingClientRect().width || 1200;
  const scale = 100 / zoom.width, slack = 1e-3;
  for (const frame of frames) {
    const above = frame.x <= zoom.x + slack && frame.x + frame.width >= zoom.x + zoom.width - slack && frame !== zoom &&
                  outside(frame);
    let x = (frame.x - zoom.x) * scale, width = frame.width * scale;
    if (above) {
      x = 0;
      width = 100;
    }
    const hidden = x + width <= slack || x >= 100 - slack || width * pixels / 100 < 0.3 ||
                   (!above && frame !== zoom && outside(frame));
    frame.group.setAttribute("display", hidden ? "none" : "inline");
    frame.group.classList.toggle("above", above);
    if (hidden)
      continue;
    frame.rect.setAttribute("x", x + "%");
    frame.rect.setAttribute("width", width + "%");
    label(frame, x, width, pixels);
  }
  reset.setAttribute("display", zoom === frames[0] ? "none" : "inline");
  found();
}

// Nearer to the whole than the zoomed frame.
function outside(frame) { return upward ? frame.y > zoom.y : frame.y < zoom.y; }

function say(text) { details.textContent = text; }

function show(frame) { say(frame ? frame.name + " \u00b7 " + frame.facts : note + hint); }

function go(frame) {
  here.group.classList.remove("here");
  here = frame;
  here.group.classList.add("here");
  here.group.focus({preventScroll : false});
  show(here);
}

function zoomTo(frame) {
  zoom = frame;
  draw();
  go(frame);
}

// The nearest frame one step away: a neighbour in the row, the caller, or the widest callee.
function step(key) {
  const level = (upward ? -1 : 1) * (frames[0].rect.height.baseVal.value + 1);
  const inside = (a, b) => a.x >= b.x - 1e-3 && a.x + a.width <= b.x + b.width + 1e-3;
  const shown = frame => frame.group.getAttribute("display") !== "none";
  const toward = {ArrowUp : -1, ArrowDown : 1}[key];
  let best = null;
  for (const frame of frames) {
    if (frame === here || !shown(frame))
      continue;
    if (toward) {
      const dy = frame.y - here.y;
      if (Math.abs(dy - toward * Math.abs(level)) > 1)
        continue;
      const callee = dy === level;
      if (callee ? !inside(frame, here) : !inside(here, frame))
        continue;
      if (!best || frame.width > best.width)
        best = frame;
    } else if (frame.y === here.y) {
      const right = key === "ArrowRight";
      if (right ? frame.x <= here.x : frame.x >= here.x)
        continue;
      if (!best || (right ? frame.x < best.x : frame.x > best.x))
        best = frame;
    }
  }
  if (best)
    go(best);
}

function matcher() {
  try {
    return new RegExp(pattern, "i");
  } catch (error) {
    return {test : text => text.toLowerCase().includes(pattern.toLowerCase())};
  }
}

function searchFor() {
  const test = pattern ? matcher() : null;
  for (const frame of frames) {
    frame.match = !!test && frame !== frames[0] && test.test(frame.name);
    frame.group.classList.toggle("match", frame.match);
  }
  found();
}

// The share of the picture that matching frames cover, each moment counted once.
function found() {
  if (!pattern && !typing) {
    search.textContent = "search";
    return;
  }
  let covered = 0, end = -1, count = 0;
  const matching = frames.filter(frame => frame.match).sort((a, b) => a.x - b.x);
  for (const frame of matching) {
    const from = Math.max(frame.x, zoom.x, end), to = Math.min(frame.x + frame.width, zoom.x + zoom.width);
    if (frame.x < zoom.x + zoom.width && frame.x + frame.width > zoom.x)
      count++;
    if (to > from) {
      covered += to - from;
      end = to;
    }
  }
  const share = pattern ? " \u00b7 " + count + (count === 1 ? " frame, " : " frames, ") +
                              (100 * covered / zoom.width).toFixed(1) + "%"
                        : "";
  search.textContent = "search: " + pattern + (typing ? "_" : "") + share;
}

function typed(event) {
  if (event.key === "Enter")
    typing = false;
  else if (event.key === "Escape") {
    typing = false;
    pattern = "";
  } else if (event.key === "Backspace")
    pattern = Array.from(pattern).slice(0, -1).join("");
  else if (event.key.length === 1 && !event.ctrlKey && !event.metaKey)
    pattern += event.key;
  else
    return;
  event.preventDefault();
  searchFor();
}

function pressed(event) {
  const find = (event.ctrlKey || event.metaKey) && event.key === "f";
  if (typing && !find)
    return typed(event);
  if (find || event.key === "/")
    typing = true;
  else if (event.ctrlKey || event.metaKey || event.altKey)
    return;
  else if (event.key === "Enter" || event.key === " ")
    zoomTo(here);
  else if (event.key.startsWith("Arrow"))
    step(event.key);
  else if (event.key === "Escape" && zoom !== frames[0])
    zoomTo(frames[0]);
  else if (event.key === "Escape") {
    pattern = "";
    searchFor();
  } else
    return;
  event.preventDefault();
  found();
}

// The line at the foot stays in sight while the picture scrolls.
function dock() {
  const height = svg.height.baseVal.value;
  const bottom = Math.min(height, window.scrollY + window.innerHeight);
  bar.setAttribute("transform", "translate(0," + (bottom - height) + ")");
}

collect();
const upward = frames.length > 1 && frames[0].y > 0;
measure();
draw();
show(null);
box.addEventListener("click", event => {
  const group = event.target.closest("g.f");
  if (group)
    zoomTo(group.frame);
});
box.addEventListener("mouseover", event => {
  const group = event.target.closest("g.f");
  if (group)
    show(group.frame);
});
box.addEventListener("mouseleave", () => show(here === frames[0] ? null : here));
reset.addEventListener("click", () => zoomTo(frames[0]));
search.addEventListener("click", () => {
  typing = !typing;
  found();
});
window.addEventListener("keydown", pressed);
window.addEventListener("resize", () => {
  draw();
  dock();
});
window.addEventListener("scroll", dock);
if (upward)
  window.scrollTo(0, svg.height.baseVal.value);
dock();
})();
