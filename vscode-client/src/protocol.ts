/** What the server and this client say to each other beside standard LSP; see docs/protocol.md of the server. */

export const RUNS = "maxcode/runs";
export const CANDIDATE = "maxcode/candidate";
export const STATUS = "maxcode/status";
export const RUN_CHANGED = "maxcode/runChanged";
export const COMPARE = "maxcode/compare";
export const SECRETS = "maxcode/secrets";

/** Commands of the server. The language client registers each of them in the editor, too. */
export const START = "maxcode.start";
export const STOP = "maxcode.stop";
export const APPLY = "maxcode.apply";
export const DISCARD = "maxcode.discard";
export const FORGET = "maxcode.forget";

export type Interval = readonly [number, number];

export interface StartArguments {
  uri: string;
  settings?: Record<string, unknown>;
  resume?: string | null;
  ask?: boolean;
}

export interface CompareArguments {
  run: string;
  candidate?: string | null;
}

export interface CandidateInfo {
  number: number;
  candidate: string | null;
  origin: string;
  outcome: string;
  verdict: string | null;
  speedup: number | null;
  best: boolean;
  parent: string | null;
  depth: number;
  u: number;
  because: string;
  ci95: Interval | null;
  seconds: number;
}

export interface ImprovementInfo {
  number: number;
  candidate: string | null;
  origin: string;
  depth: number;
  speedup: number;
  u: number;
  why: string;
  because: string;
}

export interface RunInfo {
  run: string;
  generation: number;
  uri: string;
  target: string;
  status: string;
  phase: string;
  done: number;
  budget: number;
  building: number;
  verifying: number;
  measuring: number;
  best: number | null;
  ci95: Interval | null;
  reason: string;
  applied: boolean;
  discarded: boolean;
  created: string;
  search: string;
  effort: string;
  seed: number;
  depth: number;
  u: number;
  at: string;
  tokens: number | null;
  costUsd: number | null;
  path: ImprovementInfo[];
  candidates: CandidateInfo[];
}

export interface CandidateParams {
  run: string;
  candidate?: string | null;
  result?: boolean;
}

export interface HunkInfo {
  line: number;
  lines: number;
  label: string;
  why: string;
  worth: number | null;
}

export interface FindingInfo {
  line: number;
  kind: string;
  message: string;
  evidence: string;
  share: number | null;
}

export interface CandidateText {
  run: string;
  candidate: string | null;
  languageId: string;
  text: string;
  uri: string;
  hunks: HunkInfo[];
  findings: FindingInfo[];
}

export interface StatusInfo {
  state: "idle" | "running" | "inactive";
  reason: string;
  trusted: boolean | null;
  engine: string;
  running: number;
  version: string;
  efforts: string[];
  searches: string[];
  models: string[];
}

export interface ForgetResult {
  forgotten: boolean;
  reason: string;
}

export interface ApplyResult {
  applied: boolean;
  reason: string;
}
