/** Best speedup against candidates, as an SVG of its own. Knows no editor. */
import * as l10n from "@vscode/l10n";
import type { CandidateInfo, RunInfo } from "../protocol";
import { fate, originWords, times } from "../runs/wording";
import { escape } from "./escape";

const WIDTH = 720;
const HEIGHT = 280;
const LEFT = 56;
const RIGHT = 16;
const TOP = 16;
const BOTTOM = 40;
const TICKS = 6;

/** Within a decade, from coarse to fine. */
const STEPS = [[1], [1, 3], [1, 2, 5], [1, 1.5, 2, 3, 5, 7], [1, 1.1, 1.2, 1.3, 1.4, 1.5, 1.6, 1.8, 2, 2.5, 3, 4, 5, 6, 7, 8, 9]];

/** Logarithmic: twice as fast is as far from 1 as half as fast. */
export class Scale {
  private readonly low: number;
  private readonly high: number;

  constructor(speedups: readonly number[]) {
    const positive = speedups.filter((speedup) => speedup > 0 && Number.isFinite(speedup));
    this.low = Math.log(Math.min(1, ...positive) * 0.95);
    this.high = Math.log(Math.max(1.5, ...positive) * 1.08);
  }

  /** Pixels from the top. */
  y(speedup: number): number {
    const share = (Math.log(Math.max(speedup, 1e-3)) - this.low) / (this.high - this.low);
    return TOP + (1 - Math.min(1, Math.max(0, share))) * (HEIGHT - TOP - BOTTOM);
  }

  /** Round numbers in the range, about as many as `TICKS`. */
  ticks(): number[] {
    const decades = Array.from({ length: 8 }, (_, at) => 10 ** (at - 2));
    const round = (steps: readonly number[]): number[] => decades.flatMap((decade) => steps.map((step) => step * decade)).filter((tick) => Math.log(tick) >= this.low && Math.log(tick) <= this.high);
    const finer = STEPS.map(round);
    return finer.find((ticks) => ticks.length >= TICKS / 2 && ticks.length <= TICKS) ?? finer.find((ticks) => ticks.length <= TICKS * 1.5 && ticks.length > 1) ?? [1];
  }
}

interface Point {
  number: number;
  speedup: number;
}

/** The best so far after each candidate, from 1× on. Only what became the best counts. */
export function bestSoFar(candidates: readonly CandidateInfo[], path: readonly Point[]): Point[] {
  const improvements = new Map(path.map((one) => [one.number, one.speedup]));
  let best = 1;
  const points: Point[] = [{ number: 0, speedup: 1 }];
  for (const { number } of [...candidates].sort((a, b) => a.number - b.number)) {
    best = Math.max(best, improvements.get(number) ?? best);
    points.push({ number, speedup: best });
  }
  return points;
}

export function chart(run: RunInfo): string {
  const timed = run.candidates.filter((candidate): candidate is CandidateInfo & { speedup: number } => candidate.speedup !== null);
  const best = bestSoFar(run.candidates, run.path);
  const proven = run.status === "improved" ? run.best : null;
  const scale = new Scale([...timed.flatMap((one) => [one.speedup, ...(one.ci95 ?? [])]), ...best.map((one) => one.speedup), ...(proven === null ? [] : [proven, ...(run.ci95 ?? [])])]);
  const most = Math.max(run.budget, 1, ...run.candidates.map((candidate) => candidate.number));
  const x = (number: number): number => LEFT + (number / most) * (WIDTH - LEFT - RIGHT - 24);
  const at = (value: number): string => value.toFixed(1);
  const steps = best.map((one, index) => (index === 0 ? `M${at(x(one.number))} ${at(scale.y(one.speedup))}` : `H${at(x(one.number))}V${at(scale.y(one.speedup))}`)).join("");
  const ticks = scale.ticks().map((tick) => `<g class="tick"><line x1="${LEFT}" x2="${WIDTH - RIGHT}" y1="${at(scale.y(tick))}" y2="${at(scale.y(tick))}"/><text x="${LEFT - 8}" y="${at(scale.y(tick) + 4)}" text-anchor="end">${escape(times(tick))}</text></g>`);
  const dots = timed.map((one) => {
    const title = `<title>${escape(`${one.number} ${originWords(one)}: ${times(one.speedup)} (${fate(one)})`)}</title>`;
    const bar = one.ci95 === null ? "" : `<line x1="${at(x(one.number))}" x2="${at(x(one.number))}" y1="${at(scale.y(one.ci95[0]))}" y2="${at(scale.y(one.ci95[1]))}"/>`;
    return `<g class="dot ${one.best ? "best" : escape(one.verdict ?? one.outcome)}">${title}${bar}<circle cx="${at(x(one.number))}" cy="${at(scale.y(one.speedup))}" r="${one.best ? 5 : 3.5}"/></g>`;
  });
  const label = best.at(-1)?.speedup ?? 1;
  const described = l10n.t("Best speedup after each candidate: {0} after {1} of {2}.", times(label), run.candidates.length, run.budget);
  const confirmed =
    proven === null || run.ci95 === null
      ? ""
      : `<g class="proven"><title>${escape(l10n.t("Confirmed: {0}", times(proven)))}</title><line x1="${WIDTH - RIGHT - 8}" x2="${WIDTH - RIGHT - 8}" y1="${at(scale.y(run.ci95[0]))}" y2="${at(scale.y(run.ci95[1]))}"/><rect x="${WIDTH - RIGHT - 13}" y="${at(scale.y(proven) - 5)}" width="10" height="10"/></g>`;
  return `<svg class="chart" role="img" aria-label="${escape(described)}" viewBox="0 0 ${WIDTH} ${HEIGHT}" xmlns="http://www.w3.org/2000/svg">
${ticks.join("")}
<line class="one" x1="${LEFT}" x2="${WIDTH - RIGHT}" y1="${at(scale.y(1))}" y2="${at(scale.y(1))}"/>
<path class="steps" d="${steps}"/>
${dots.join("\n")}
${confirmed}
<text class="axis" x="${(LEFT + WIDTH - RIGHT) / 2}" y="${HEIGHT - 10}" text-anchor="middle">${escape(l10n.t("candidates judged, of {0}", run.budget))}</text>
<text class="axis" x="${x(most)}" y="${HEIGHT - 24}" text-anchor="middle">${most}</text>
<text class="axis" x="${LEFT}" y="${HEIGHT - 24}" text-anchor="middle">0</text>
</svg>`;
}
