/** Text into Markdown that shows it as it is. */
export function markdown(text: string): string {
  return text.replaceAll(/[\\`*_{}[\]()#+\-.!<>|~&]/gu, "\\$&").replaceAll(/\s*\n\s*/gu, " ");
}
