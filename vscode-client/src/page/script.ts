/** Runs inside the page: shows what the extension sends, and tells it which button was pressed. */

interface Shown {
  html: string;
}

declare function acquireVsCodeApi(): { postMessage(message: unknown): void };

const editor = acquireVsCodeApi();
const main = document.querySelector("main");

window.addEventListener("message", ({ data }: MessageEvent<Shown>) => {
  if (main === null || main.innerHTML === data.html) return;
  const before = focused();
  main.innerHTML = data.html;
  if (before !== "") main.querySelector<HTMLElement>(before)?.focus({ preventScroll: true });
});

document.addEventListener("click", ({ target }) => {
  const button = target instanceof Element ? target.closest<HTMLButtonElement>("button[data-act]") : null;
  if (button !== null) editor.postMessage({ act: button.dataset["act"], candidate: button.dataset["candidate"] ?? null });
});

/** What has the keyboard must have it after the page was drawn anew. */
function focused(): string {
  const active = document.activeElement;
  if (!(active instanceof HTMLButtonElement)) return "";
  const { act = "", candidate } = active.dataset;
  return `button[data-act="${CSS.escape(act)}"]${candidate === undefined ? "" : `[data-candidate="${CSS.escape(candidate)}"]`}`;
}

editor.postMessage({ act: "ready" });
