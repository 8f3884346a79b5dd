import assert from "node:assert";
import test from "node:test";
import { load } from "./load.mjs";

const { locate } = await load("server/locate.ts");
const places = { setting: "", environments: ["/env", "/w/.venv"], searchPath: "/usr/bin::relative:/opt/bin", managed: "/managed", home: "/home/me", windows: false };
const there = (...files) => (file) => files.includes(file);

test("the setting comes first, and is not replaced by another where it names nothing", () => {
  const all = there("/my/maxcode", "/env/bin/maxcode");
  assert.deepStrictEqual(locate({ ...places, setting: "/my/maxcode" }, all), { command: "/my/maxcode", origin: "setting" });
  assert.strictEqual(locate({ ...places, setting: "/nothing" }, all), undefined);
  assert.deepStrictEqual(locate({ ...places, setting: "~/maxcode" }, there("/home/me/maxcode")).command, "/home/me/maxcode");
});

test("then the environments in their order, PATH, and our own environment", () => {
  const everywhere = ["/env/bin/maxcode", "/w/.venv/bin/maxcode", "/opt/bin/maxcode", "/managed/bin/maxcode"];
  const origins = everywhere.map((_, at) => locate(places, there(...everywhere.slice(at))));
  assert.deepStrictEqual(origins.map((found) => found.command), everywhere);
  assert.deepStrictEqual(origins.map((found) => found.origin), ["environment", "environment", "path", "managed"]);
  assert.strictEqual(locate(places, there()), undefined);
});

test("nothing is taken from the folder that happens to be the current one", () => {
  assert.strictEqual(locate(places, there("maxcode", "relative/maxcode")), undefined);
});

test("on Windows it is a program with another name and place", () => {
  const windows = { ...places, environments: ["C:\\env"], searchPath: "C:\\bin;D:\\x", windows: true };
  assert.strictEqual(locate(windows, there("C:\\env\\Scripts\\maxcode.exe")).origin, "environment");
  assert.strictEqual(locate(windows, there("D:\\x\\maxcode.exe")).command, "D:\\x\\maxcode.exe");
});
