// A page of VS Code in a headless browser, and what a person does there.
import fs from "node:fs";
import path from "node:path";
import { chromium } from "playwright-core";

/** So long something may take to appear; generous, since other work may load the machine. */
export const LIMIT_MS = Number(process.env.MAXCODE_E2E_LIMIT_MS ?? 90_000);
const SHORT_MS = 6_000;
const SAID = 400;

export async function open({ base, workspace, shots, payload = [], theme = "", size = { width: 1280, height: 800 } }) {
  const browser = await chromium.launch({
    executablePath: process.env.MAXCODE_CHROMIUM,
    args: ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"],
  });
  const page = await browser.newPage({ viewport: size, deviceScaleFactor: 1 });
  page.setDefaultTimeout(LIMIT_MS);
  const console_ = [];
  page.on("console", (message) => console_.push(message.text().slice(0, SAID)));
  const query = new URLSearchParams({ folder: workspace, ...(payload.length > 0 ? { payload: JSON.stringify(payload) } : {}) });
  return new Editor(browser, page, `${base}/?${query}`, { workspace, shots, console: console_, theme });
}

export class Editor {
  constructor(browser, page, url, about) {
    Object.assign(this, { browser, page, url, ...about });
    this.begun = performance.now();
  }

  say(...words) {
    console.log(`${((performance.now() - this.begun) / 1000).toFixed(1)}s`, ...words);
  }

  async load() {
    await this.page.goto(this.url);
    await this.page.waitForSelector(".monaco-workbench .explorer-folders-view .monaco-list-row, .monaco-workbench .explorer-folders-view");
    this.say("workbench");
  }

  async file(name) {
    await this.page.locator(".explorer-folders-view .monaco-list-row", { hasText: name }).first().dblclick();
    await this.page.waitForSelector(`.tab.active[data-resource-name="${name}"], .tab.active:has-text("${name}")`);
    await this.page.waitForSelector(".editor-instance .view-line");
    this.say("open:", name);
  }

  shot(name) {
    return this.page.screenshot({ path: path.join(this.shots, `${name}.png`) });
  }

  /** Visible text of the editor in front, with plain spaces. */
  async text() {
    return (await this.page.locator(".editor-instance .view-lines").last().innerText()).replaceAll("\u00a0", " ");
  }

  /** The line of a program, by words in it; the cursor is put there. */
  async goTo(line) {
    await this.page.keyboard.press("Escape");
    await this.page.locator(".editor-instance .view-line", { hasText: line }).first().click();
  }

  /** The lightbulb's menu: a slow provider or a late edit closes it, so it is asked for again. */
  async menu(title) {
    const row = this.page.locator(`.action-widget .monaco-list-row[aria-label^="${title}"]`).first();
    for (let turn = 0; ; turn += 1) {
      if (await row.isVisible()) return row;
      await this.page.keyboard.press("Escape");
      await this.page.keyboard.press("Control+.");
      try {
        await row.waitFor({ timeout: SHORT_MS });
        return row;
      } catch (error) {
        if (turn > 8) throw error;
      }
    }
  }

  /** Choose an entry of it with the keyboard (an overlay swallows clicks), until `done` is there. */
  async choose(title, done) {
    for (let turn = 0; ; turn += 1) {
      const row = await this.menu(title);
      for (let press = 0; press < 30; press += 1) {
        const classes = await row.getAttribute("class", { timeout: 1000 }).catch(() => null);
        if (classes === null) break;
        if (/\bfocused\b/.test(classes)) {
          await this.page.keyboard.press("Enter");
          break;
        }
        await this.page.keyboard.press("ArrowDown");
        await this.page.waitForTimeout(60);
      }
      try {
        return await done();
      } catch (error) {
        if (turn > 2) throw error;
      }
    }
  }

  /** The titles in the lightbulb's menu. */
  async titles(first) {
    await this.menu(first);
    const labels = await this.page.locator(".action-widget .monaco-list-row.action").evaluateAll((rows) => rows.map((row) => row.getAttribute("aria-label")));
    await this.page.keyboard.press("Escape");
    return labels;
  }

  /** A command of the palette, by its whole title. */
  async command(title) {
    for (let turn = 0; ; turn += 1) {
      await this.page.keyboard.press("Escape");
      await this.page.keyboard.press("F1");
      await this.page.waitForSelector(".quick-input-widget:visible input");
      await this.page.keyboard.type(title);
      const row = this.page.locator(`.quick-input-list .monaco-list-row[aria-label^="${title}"]`).first();
      try {
        await row.waitFor({ timeout: SHORT_MS * 2 });
        await this.page.keyboard.press("Enter");
        return;
      } catch (error) {
        if (turn > 3) throw error;
      }
    }
  }

  lens(words) {
    return this.page.locator(".codelens-decoration", { hasText: words });
  }

  async seeLens(words) {
    await this.lens(words).first().waitFor();
    this.say("lens:", await this.lens(words).first().innerText());
  }

  notification(words) {
    return this.page.locator(".notifications-toasts .notification-list-item, .notifications-center .notification-list-item", { hasText: words });
  }

  async answer(question, button) {
    const asked = this.notification(question).first();
    await asked.waitFor();
    await asked.locator(`.monaco-button:has-text("${button}")`).first().click();
    this.say("answered:", button);
  }

  status(words) {
    return this.page.locator(".statusbar-item", { hasText: words });
  }

  async until(what, condition, limitMs = LIMIT_MS) {
    const end = performance.now() + limitMs;
    for (;;) {
      const value = await condition();
      if (value) return value;
      if (performance.now() > end) throw new Error(`waited in vain for ${what}`);
      await this.page.waitForTimeout(100);
    }
  }

  async save(file) {
    const before = fs.readFileSync(file, "utf8");
    await this.page.keyboard.press("Control+s");
    await this.until("the file to be saved", () => fs.readFileSync(file, "utf8") !== before);
    this.say("saved");
  }

  close() {
    return this.browser.close();
  }
}
