import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { manyCases } from "@tillkit/contract-tests";
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { openDemoShop } from "./testing/demo-shop.js";
import { testPages } from "./testing/test-page.js";
import { viewsOf } from "./testing/views.js";

/** Time for some twenty views on a busy machine, in milliseconds. */
const LONG = 600_000;
const axe = readFileSync(fileURLToPath(import.meta.resolve("axe-core/axe.min.js")), "utf8");
const found = z.object({
  violations: z.array(
    z.object({ id: z.string(), impact: z.string(), nodes: z.array(z.object({ html: z.string() })) }),
  ),
});

let appId = "";
const { host, open } = testPages({
  prepare: async (started) => {
    ({ appId } = (await openDemoShop(started)).notes);
  },
});

/** Returns the serious findings of axe, each with the first element. */
async function findingsOf(page: Page, rules: readonly string[] = []): Promise<readonly string[]> {
  const options = rules.length === 0 ? {} : { runOnly: rules };
  const { violations } = found.parse(await page.evaluate(`axe.run(${JSON.stringify(options)})`));
  return violations
    .filter(({ impact }) => ["serious", "critical"].includes(impact))
    .map(({ id, nodes }) => `${id}: ${nodes[0]?.html ?? ""}`);
}

/** Returns the findings in both themes. Only the colours differ between them. */
async function findingsInBothThemes(page: Page): Promise<readonly string[]> {
  await page.emulateMedia({ colorScheme: "light" });
  const light = await findingsOf(page);
  await page.emulateMedia({ colorScheme: "dark" });
  const dark = await findingsOf(page, ["color-contrast"]);
  return [...light, ...dark.map((finding) => `dark: ${finding}`)];
}

/** Returns the findings in one of the themes, which alternate every two views. */
async function findingsInOneTheme(page: Page, nth: number): Promise<readonly string[]> {
  await page.emulateMedia({ colorScheme: nth % 4 < 2 ? "light" : "dark" });
  return findingsOf(page);
}

/** Whether a view is checked in a language. By default each view has one language, in turn. */
function isCheckedIn(lang: "en" | "zh", nth: number): boolean {
  return manyCases() || (lang === "en") === (nth % 2 === 0);
}

async function loaded(page: Page): Promise<void> {
  await page.getByRole("heading", { level: 1 }).waitFor();
  await page.locator("main:not(:has([aria-busy=true]))").waitFor();
}

describe("axe has no serious finding", () => {
  // With few cases, each view has one language and one theme. Each pair of them has several views.
  it.each(["en", "zh"] as const)("on the views, in %s", { timeout: LONG }, async (lang) => {
    const page = await open("/account", { role: "admin", bypassCSP: true });
    await page.addInitScript({ content: axe });
    const findings: string[] = [];
    for (const [nth, { name, path }] of viewsOf(appId).entries()) {
      if (!isCheckedIn(lang, nth)) continue;
      await page.goto(`${host().url}${path}${path.includes("?") ? "&" : "?"}lang=${lang}`);
      await loaded(page);
      expect(await page.locator("html").getAttribute("lang")).toBe(lang === "zh" ? "zh-CN" : "en");
      const checked = manyCases() ? findingsInBothThemes(page) : findingsInOneTheme(page, nth);
      findings.push(...(await checked).map((finding) => `${name}: ${finding}`));
    }
    expect(findings).toEqual([]);
  });

  it("on the first step of signing in", async () => {
    const page = await open("/", { bypassCSP: true });
    await page.addInitScript({ content: axe });
    await page.reload();
    await page.getByRole("heading", { name: "Sign in" }).waitFor();
    expect(await findingsInBothThemes(page)).toEqual([]);
  });

  it("on a form with many fields", async () => {
    const page = await open("/account", { role: "admin", bypassCSP: true });
    await page.addInitScript({ content: axe });
    await page.goto(`${host().url}/setup?tab=pay-tools`);
    await page.getByRole("button", { name: "Change keys" }).first().click();
    await page.getByRole("dialog").waitFor();
    expect(await findingsInBothThemes(page)).toEqual([]);
  });

  it("on the counts of a store, and their dialogs", async () => {
    const page = await open("/account", { role: "admin", bypassCSP: true });
    await page.addInitScript({ content: axe });
    await page.goto(`${host().url}/downloads?app=${appId}&store=appstore&by=week`);
    await loaded(page);
    await page.getByText("Show the numbers").click();
    expect(await findingsInBothThemes(page)).toEqual([]);
    for (const button of ["Set counts", "Delete counts"]) {
      await page.getByRole("button", { name: button }).click();
      await page.getByRole("dialog").waitFor();
      expect(await findingsInBothThemes(page), button).toEqual([]);
      await page.keyboard.press("Escape");
      await page.getByRole("dialog").waitFor({ state: "detached" });
    }
  });

  it("on dialogs", async () => {
    const page = await open("/account", { role: "admin", bypassCSP: true });
    await page.addInitScript({ content: axe });
    await page.goto(`${host().url}/orders/${appId}/N20261123-0907`);
    for (const button of ["Sync", "Refund…", "Keyboard"]) {
      await page.getByRole("button", { name: button }).click();
      await page.getByRole("dialog").waitFor();
      expect(await findingsInBothThemes(page)).toEqual([]);
      if (button === "Refund…") await page.getByRole("button", { name: "Cancel" }).click();
      else await page.keyboard.press("Escape");
      await page.getByRole("dialog").waitFor({ state: "detached" });
    }
  });
});
