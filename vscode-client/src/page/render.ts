/** A run as HTML: the same for the page in the editor and for what is exported. Knows no editor. */
import * as l10n from "@vscode/l10n";
import type { CandidateInfo, RunInfo } from "../protocol";
import { fate, interval, runWords, statusWords, times } from "../runs/wording";
import { chart } from "./chart";
import { escape } from "./escape";
import { searchTree } from "./searchTree";

/** The body of the page. `live`: with buttons that the editor answers. */
export function render(run: RunInfo, live: boolean): string {
  return [
    head(run, live),
    `<section aria-labelledby="h-chart"><h2 id="h-chart">${escape(l10n.t("Best speedup against candidates"))}</h2>${chart(run)}</section>`,
    `<section aria-labelledby="h-counts"><h2 id="h-counts">${escape(l10n.t("What became of the candidates"))}</h2>${outcomes(run.candidates)}</section>`,
    `<section aria-labelledby="h-tree"><h2 id="h-tree">${escape(l10n.t("The search"))}</h2>${searchTree(run)}</section>`,
  ].join("\n");
}

/** A file of its own, with nothing remote and no script. */
export function exported(run: RunInfo, style: string): string {
  const title = `MaxCode: ${run.target}`;
  return `<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>${escape(title)}</title>
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<style>${style}</style></head>
<body class="exported"><main>${render(run, false).replaceAll(/ data-act="compare"| data-candidate="[^"]*"/gu, "").replaceAll("<button type=\"button\"", "<span class=\"name\"").replaceAll("</button>", "</span>")}</main></body></html>
`;
}

function head(run: RunInfo, live: boolean): string {
  const running = run.status === "running";
  const buttons = [
    ...(running ? [["stop", l10n.t("Stop")]] : []),
    ...(run.status === "improved" && !run.discarded ? [...(run.applied ? [] : [["apply", l10n.t("Apply")]]), ["result", l10n.t("Compare")]] : []),
    ...(running && run.best !== null ? [["result", l10n.t("Compare best so far")]] : []),
    ["html", l10n.t("Export as HTML")],
    ["json", l10n.t("Export as JSON")],
  ].map(([act, label]) => `<button type="button" data-act="${act ?? ""}">${escape(label ?? "")}</button>`);
  const bar = live ? `<div class="buttons">${buttons.join("")}</div>` : "";
  const now = run.reason || run.at;
  const working = [
    [run.building, l10n.t("building")],
    [run.verifying, l10n.t("verifying")],
    [run.measuring, l10n.t("measuring")],
  ].filter(([count]) => Number(count) > 0).map(([count, what]) => `${what ?? ""} ${count ?? 0}`);
  const line = running && working.length > 0 ? `<p class="working">${escape(working.join(", "))}</p>` : "";
  return `<header><h1>${escape(run.target)}</h1><p class="status ${escape(run.status)}" role="status">${escape(statusWords(run.status))}${headline(run)}</p>${line}
${now === "" ? "" : `<p class="reason">${escape(now)}</p>`}${bar}${facts(run)}</header>`;
}

function headline(run: RunInfo): string {
  if (run.status === "improved" && run.best !== null && run.ci95 !== null) {
    return `: <strong>${escape(l10n.t("{0} faster", times(run.best)))}</strong> ${escape(l10n.t("(95 % CI {0})", interval(run.ci95)))}`;
  }
  return run.status === "running" ? `: ${escape(runWords(run))}` : "";
}

function facts(run: RunInfo): string {
  const models = run.tokens === null ? l10n.t("none asked") : l10n.t("{0} tokens", run.tokens.toLocaleString("en"));
  const cost = run.tokens === null ? "" : run.costUsd === null ? l10n.t(", no price known") : `, $${run.costUsd.toFixed(4)}`;
  const rows: [string, string][] = [
    [l10n.t("Strategy"), `${run.search}, ${run.effort}`],
    [l10n.t("Candidates"), l10n.t("{0} of {1}", run.done, run.budget)],
    [l10n.t("Depth"), String(run.depth)],
    ["u", times(run.u)],
    [l10n.t("Models"), `${models}${cost}`],
    [l10n.t("Begun"), run.created.replace("T", " ").replace("Z", " UTC")],
    [l10n.t("Run"), run.run],
  ];
  return `<dl class="facts">${rows.map(([name, value]) => `<div><dt>${escape(name)}</dt><dd>${escape(value)}</dd></div>`).join("")}</dl>`;
}

/** How many ended how, most first. */
export function counts(candidates: readonly CandidateInfo[]): [words: string, count: number][] {
  const found = new Map<string, number>();
  for (const candidate of candidates) found.set(fate(candidate), (found.get(fate(candidate)) ?? 0) + 1);
  return [...found].sort((a, b) => b[1] - a[1]);
}

function outcomes(candidates: readonly CandidateInfo[]): string {
  if (candidates.length === 0) return `<p class="empty">${escape(l10n.t("No candidate was judged yet."))}</p>`;
  const rows = counts(candidates).map(([words, count]) => {
    const share = Math.round((100 * count) / candidates.length);
    return `<tr><th scope="row">${escape(words)}</th><td>${count}</td><td class="bar"><svg viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true"><rect width="${share}" height="8"/></svg></td></tr>`;
  });
  return `<table class="counts"><tbody>${rows.join("")}</tbody></table>`;
}
