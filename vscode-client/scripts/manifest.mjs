// Brings what `maxcode schema --editor` says into package.json: the settings of the server, with their ranges and scopes.
//   node scripts/manifest.mjs < properties.json
import fs from "node:fs";

const file = new URL("../package.json", import.meta.url);
const manifest = JSON.parse(fs.readFileSync(file, "utf8"));
const server = JSON.parse(fs.readFileSync(0, "utf8"));
const own = Object.entries(manifest.contributes.configuration.properties).filter(([key]) => /^maxcode\.(server|preview|trace)\b/.test(key));
manifest.contributes.configuration.properties = { ...Object.fromEntries(own), ...server };
fs.writeFileSync(file, `${JSON.stringify(manifest, null, 2)}\n`);
