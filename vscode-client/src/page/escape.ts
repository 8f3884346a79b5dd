/** Text into HTML. */
const NAMES: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };

export function escape(text: string | number): string {
  return String(text).replaceAll(/[&<>"']/gu, (character) => NAMES[character] ?? "");
}
