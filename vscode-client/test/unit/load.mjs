// Loads a module of src for a test: bundled in memory, without `vscode`.
import { createRequire } from "node:module";
import { build } from "esbuild";

export async function load(entry) {
  const made = await build({ entryPoints: [`src/${entry}`], bundle: true, write: false, format: "cjs", platform: "node", external: ["vscode"] });
  const module = { exports: {} };
  new Function("module", "exports", "require", made.outputFiles[0].text)(module, module.exports, createRequire(import.meta.url));
  return module.exports;
}
