/** The search as a tree: each version under the one that it was made from, with u and the critique behind it. */
import * as l10n from "@vscode/l10n";
import type { CandidateInfo, RunInfo } from "../protocol";
import { candidateWords, fate, originWords, times } from "../runs/wording";
import { escape } from "./escape";

export interface Branch {
  /** Undefined: the original. */
  candidate: CandidateInfo | undefined;
  children: Branch[];
}

/** What is under the original. A parent that is not in the list stands for the original. */
export function branches(candidates: readonly CandidateInfo[]): Branch {
  const root: Branch = { candidate: undefined, children: [] };
  const made = new Map<string, Branch>();
  const all = [...candidates].sort((a, b) => a.number - b.number).map((candidate): Branch => ({ candidate, children: [] }));
  for (const branch of all) {
    const id = branch.candidate?.candidate;
    if (id !== null && id !== undefined) made.set(id, branch);
  }
  for (const branch of all) {
    const parent = made.get(branch.candidate?.parent ?? "");
    // Made before it: what a journal says must not make a ring.
    const earlier = parent?.candidate !== undefined && parent.candidate.number < (branch.candidate?.number ?? 0);
    (earlier ? parent : root).children.push(branch);
  }
  return root;
}

export function searchTree(run: RunInfo): string {
  if (run.candidates.length === 0) return `<p class="empty">${escape(l10n.t("No candidate was judged yet."))}</p>`;
  const whys = new Map(run.path.map((one) => [one.number, one.why]));
  const item = ({ candidate, children }: Branch): string => {
    const below = children.length === 0 ? "" : `<ul>${children.map(item).join("")}</ul>`;
    if (candidate === undefined) return `<li><span class="original">${escape(l10n.t("original"))}</span>${below}</li>`;
    return `<li>${row(candidate, whys.get(candidate.number) ?? "")}${below}</li>`;
  };
  return `<ul class="search">${item(branches(run.candidates))}</ul>`;
}

function row(candidate: CandidateInfo, why: string): string {
  const kind = candidate.best ? "best" : (candidate.verdict ?? candidate.outcome);
  const name = `${candidate.number}. ${originWords(candidate)}`;
  const disabled = candidate.candidate === null ? " disabled" : "";
  const said = candidate.speedup === null ? fate(candidate) : candidateWords(candidate);
  const notes = [candidate.because, why].filter(Boolean).map((note) => `<span class="note">${escape(note)}</span>`);
  const open = `<button type="button" data-act="compare" data-candidate="${escape(candidate.candidate ?? "")}"${disabled} title="${escape(l10n.t("Compare with the original"))}">${escape(name)}</button>`;
  return `<div class="step ${escape(kind)}">${open} <span class="badge">${escape(said)}</span> <span class="u">u ${escape(times(candidate.u))}</span>${notes.join("")}</div>`;
}
