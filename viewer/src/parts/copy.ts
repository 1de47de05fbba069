/* Puts text into the clipboard, and files into the download folder. */

export function copy(text: string): void {
  const done = () => announce("copied");
  if (navigator.clipboard) {
    navigator.clipboard.writeText(text).then(done, () => copyBySelection(text, done));
    return;
  }
  copyBySelection(text, done);
}

/* For browsers that give a page in a file no clipboard. */
function copyBySelection(text: string, done: () => void): void {
  const area = document.createElement("textarea");
  area.value = text;
  area.setAttribute("aria-hidden", "true");
  document.body.appendChild(area);
  area.select();
  if (document.execCommand("copy")) done();
  area.remove();
}

export function save(blob: Blob, name: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  window.setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

/* A line that screen readers read out; `show`: to be seen for a moment too. */
export function announce(text: string, show = true): void {
  const line = document.getElementById("said");
  if (!line) return;
  line.textContent = text;
  line.classList.toggle("shown", show);
  window.setTimeout(() => line.textContent === text && line.classList.remove("shown"), 2500);
}
