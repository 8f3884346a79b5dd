// Runs and candidates for tests.
export function candidate(number, more = {}) {
  return { number, candidate: String(number).padStart(12, "0"), origin: "loop-order", outcome: "correct", verdict: "no_difference", speedup: 1.01, best: false, parent: null, depth: 1, u: 1, because: "", ci95: null, seconds: 1, ...more };
}

export function run(more = {}) {
  return {
    run: "20300101-000000-aaaaaa", generation: 1, uri: "file:///w/a.cpp", target: "a.cpp", status: "running", phase: "searching", done: 3, budget: 8, building: 1, verifying: 0, measuring: 1,
    best: null, ci95: null, reason: "", applied: false, discarded: false, created: "2030-01-01T00:00:00Z", search: "greedy", effort: "low", seed: 0, depth: 0, u: 1, at: "", tokens: null, costUsd: null, path: [], candidates: [], ...more,
  };
}
