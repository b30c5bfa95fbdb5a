import { describe, expect, it } from "vitest";
import { openDemoShop } from "./testing/demo-shop.js";
import { PASSWORD } from "./testing/open-host.js";
import { codeOf, signIn } from "./testing/sign-in.js";
import { testPages } from "./testing/test-page.js";
import { viewsOf } from "./testing/views.js";
import { wrongClock } from "./testing/wrong-clock.js";

const HOUR = 3_600_000;

let appId = "";
const { host, profile } = testPages({
  prepare: async (started) => {
    appId = (await openDemoShop(started)).notes.appId;
  },
});

/** How far the clock of the browser is ahead of the clock of the host, in milliseconds. */
const aheadOfHost = (offset: number) => host().ports.clock.now() - Date.now() + offset;

describe.each([
  ["two hours ahead", 2 * HOUR],
  ["two hours behind", -2 * HOUR],
  ["twelve hours ahead, on the next day", 12 * HOUR],
  ["a year behind", -365 * 24 * HOUR],
])("in a browser whose clock is %s", (name, offset) => {
  async function aPage(what: string) {
    const context = await profile();
    await context.addInitScript(wrongClock(aheadOfHost(offset)));
    const who = `${what}-${name.replaceAll(/\W+/g, "-")}`;
    await host().create(who, "admin");
    const key = await signIn(host(), context, who);
    const page = await context.newPage();
    const errors: string[] = [];
    page.on("pageerror", ({ message }) => errors.push(message));
    return { context, page, key, who, errors };
  }

  it("every view loads without a failure", async () => {
    const { context, page, errors } = await aPage("views");
    const views = [...viewsOf(appId), { name: "bill-days", path: "/bills?tab=days" }];
    for (const { path } of [...views, { path: "/downloads" }, { path: "/reports" }]) {
      await page.goto(`${host().url}${path}`);
      await page.getByRole("heading", { level: 1 }).waitFor();
      await page.locator("main:not(:has([aria-busy=true]))").waitFor();
      expect(await page.locator("main .failure, main .field-error").allInnerTexts(), path).toEqual([]);
    }
    expect(errors).toEqual([]);
    await context.close();
  });

  it("a view without a period shows the days that end yesterday, by the clock of the host", async () => {
    const { context, page } = await aPage("days");
    for (const path of ["/downloads", "/bills?tab=days"]) {
      await page.goto(`${host().url}${path}`);
      await page.locator("main:not(:has([aria-busy=true]))").waitFor();
      expect(await page.getByLabel("Until").inputValue(), path).toBe("2026-11-22");
    }
    await page.goto(`${host().url}/reports`);
    expect(await page.getByLabel("Month").inputValue()).toBe("2026-10");
    await context.close();
  });

  it("the session ends and begins again by the clock of the host", async () => {
    const { context, page, key, who } = await aPage("session");
    await page.goto(`${host().url}/today`);
    await page.getByRole("heading", { name: "Today" }).waitFor();
    const start = host().ports.clock.now();
    host().ports.clock.advance(2 * HOUR);
    await page.reload();
    await page.getByLabel("Name", { exact: true }).fill(who);
    await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByLabel("Code of 6 digits").fill(codeOf(key, host().ports.clock.now()));
    await page.getByRole("button", { name: "Continue" }).click();
    await page.getByRole("heading", { name: "Today" }).waitFor();
    host().ports.clock.set(start);
    await context.close();
  });
});
