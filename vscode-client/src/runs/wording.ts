/** Runs and candidates in words and numbers, the same in tree, status bar, comparison and page. Knows no editor. */
import * as l10n from "@vscode/l10n";
import type { CandidateInfo, Interval, RunInfo } from "../protocol";

/** `2.31×`: three figures, as the server writes them. */
export function times(speedup: number): string {
  const digits = speedup >= 99.95 ? 0 : speedup >= 9.995 ? 1 : 2;
  return `${speedup.toFixed(digits)}×`;
}

export function interval(ci95: Interval): string {
  const plain = (bound: number): string => times(bound).slice(0, -1);
  return `${plain(ci95[0])}–${plain(ci95[1])}`;
}

export function statusWords(status: string): string {
  switch (status) {
    case "running":
      return l10n.t("running");
    case "improved":
      return l10n.t("improved");
    case "no_improvement":
      return l10n.t("no measurable difference");
    case "unmeasured":
      return l10n.t("not measured");
    case "refused":
      return l10n.t("refused");
    case "failed":
      return l10n.t("failed");
    case "cancelled":
      return l10n.t("stopped");
    case "interrupted":
      return l10n.t("interrupted");
    default:
      return status;
  }
}

/** The end of a candidate as one would say it. */
export function fate(candidate: CandidateInfo): string {
  switch (candidate.verdict ?? candidate.outcome) {
    case "faster":
      return l10n.t("faster");
    case "slower":
      return l10n.t("slower");
    case "no_difference":
      return l10n.t("no difference");
    case "identical":
      return l10n.t("same machine code");
    case "compile_error":
      return l10n.t("does not build");
    case "runtime_error":
      return l10n.t("fails when run");
    case "wrong_output":
      return l10n.t("wrong output");
    case "timeout":
      return l10n.t("too slow to finish");
    case "rejected":
      return l10n.t("rejected");
    case "correct":
      return l10n.t("correct");
    default:
      return candidate.outcome;
  }
}

/** Codicon of a candidate's end, with the theme colour for it. */
export function icon(candidate: CandidateInfo): { name: string; color?: string } {
  if (candidate.best) return { name: "star-full", color: "charts.yellow" };
  switch (candidate.verdict ?? candidate.outcome) {
    case "faster":
      return { name: "pass-filled", color: "charts.green" };
    case "slower":
      return { name: "arrow-down" };
    case "no_difference":
    case "correct":
      return { name: "dash" };
    case "identical":
      return { name: "copy" };
    case "timeout":
      return { name: "watch", color: "charts.red" };
    case "rejected":
      return { name: "circle-slash" };
    default:
      return { name: "error", color: "charts.red" };
  }
}

/** What was done, in words. */
export function originWords(candidate: { origin: string }): string {
  return candidate.origin === "" ? l10n.t("a model’s proposal") : candidate.origin.replaceAll("-", " ");
}

/** A run in a few words: `2.31× (95 % CI 2.24–2.39)`, `best 1.90× · 14 of 64`. */
export function runWords(run: RunInfo): string {
  if (run.status === "running") {
    const best = run.best === null ? "" : `${l10n.t("best {0}", times(run.best))} · `;
    return run.phase === "searching" || run.done > 0 ? `${best}${l10n.t("{0} of {1}", run.done, run.budget)}` : `${best}${run.phase}`;
  }
  if (run.status === "improved" && run.best !== null && run.ci95 !== null) {
    const words = `${times(run.best)} (95 % CI ${interval(run.ci95)})`;
    if (run.discarded) return l10n.t("{0}, discarded", words);
    return run.applied ? l10n.t("{0}, applied", words) : words;
  }
  return statusWords(run.status);
}

/** The title of a comparison: what is proven is said so, and what is not. */
export function comparisonTitle(run: RunInfo, candidate: CandidateInfo | undefined): string {
  if (candidate === undefined && run.status === "improved" && run.best !== null && run.ci95 !== null) {
    return l10n.t("{0}: original ↔ {1} faster (95 % CI {2})", run.target, times(run.best), interval(run.ci95));
  }
  const speedup = candidate?.speedup ?? (candidate === undefined ? run.best : null);
  if (speedup !== null) return l10n.t("{0}: original ↔ ≈ {1}, not confirmed", run.target, times(speedup));
  return l10n.t("{0}: original ↔ {1}", run.target, candidate === undefined ? l10n.t("best so far") : fate(candidate));
}

/** What counts about a candidate, as short as it can be told. */
export function badge(candidate: CandidateInfo): string {
  if (candidate.speedup === null) return fate(candidate);
  return candidate.ci95 === null ? `≈ ${times(candidate.speedup)}` : times(candidate.speedup);
}

/** What was timed against another version than the original says nothing about the original. */
function againstParent(candidate: CandidateInfo): string {
  switch (candidate.verdict) {
    case "faster":
      return l10n.t("faster than what it was made from");
    case "slower":
      return l10n.t("slower than what it was made from");
    default:
      return fate(candidate);
  }
}

/** One line about a candidate. */
export function candidateWords(candidate: CandidateInfo): string {
  if (candidate.speedup === null) return fate(candidate);
  if (candidate.ci95 === null) return `≈ ${times(candidate.speedup)} · ${againstParent(candidate)}`;
  return `${times(candidate.speedup)} (${interval(candidate.ci95)}) · ${fate(candidate)}`;
}
