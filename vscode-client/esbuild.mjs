// Bundles the extension and the script of its page. `--watch`: again at each change.
import { build, context } from "esbuild";

const shared = { bundle: true, minify: true, sourcemap: false, legalComments: "none", logLevel: "warning" };
const bundles = [
  {
    ...shared,
    entryPoints: ["src/extension.ts"],
    outfile: "dist/extension.js",
    platform: "node",
    target: "node20",
    format: "cjs",
    external: ["vscode"],
  },
  { ...shared, entryPoints: ["src/page/script.ts"], outfile: "dist/page.js", platform: "browser", target: "es2022", format: "iife" },
];

if (process.argv.includes("--watch")) {
  for (const bundle of bundles) await (await context(bundle)).watch();
} else {
  await Promise.all(bundles.map((bundle) => build(bundle)));
}
