import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { openApp } from "./testing/demo-shop.js";
import { testPages } from "./testing/test-page.js";

const { host, open } = testPages();

const MARKUP = [
  `<img src=x onerror="document.title='hacked'">`,
  `"><script>document.title='hacked'</script>`,
  `<a href="javascript:document.title='hacked'">click</a>`,
];

/** Records what the content security policy blocks, and errors of scripts. */
function problemsOf(page: Page): readonly string[] {
  const problems: string[] = [];
  page.on("pageerror", (error) => problems.push(error.message));
  page.on("console", (message) => {
    if (message.type() === "error") problems.push(message.text());
  });
  return problems;
}

it.each(MARKUP)("the page shows markup of customers as text: %s", async (markup) => {
  const app = await openApp(host(), "Markup");
  const bizNo = `markup-${String(MARKUP.indexOf(markup))}`;
  const texts = { goodsTitle: markup, attachData: markup, customerName: markup.slice(0, 60) };
  await app.order({ bizNo, customerIdentity: "user-1", ...texts });
  const page = await open("/today", { role: "admin" });
  const problems = problemsOf(page);
  for (const path of [`/orders/${app.appId}/${bizNo}`, "/orders", `/search?q=${bizNo}`, "/audit"]) {
    await page.goto(`${host().url}${path}`);
    await page.getByRole("heading", { level: 1 }).waitFor();
    await page.locator("main:not(:has([aria-busy=true]))").waitFor();
  }
  await page.goto(`${host().url}/orders/${app.appId}/${bizNo}`);
  await page.getByText("Attached data").click();
  expect(await page.locator("pre").textContent()).toBe(markup);
  expect(await page.locator("main img, main script, main a[href^=javascript]").count()).toBe(0);
  expect(await page.title()).not.toContain("hacked");
  expect(problems).toEqual([]);
});

it("the page runs no script that is not its own", async () => {
  const page = await open("/", {});
  const problems = problemsOf(page);
  await page.evaluate(`
    const script = document.createElement("script");
    script.textContent = "document.title = 'hacked'";
    document.head.append(script);
  `);
  await expect.poll(() => problems.join()).toContain("Content Security Policy");
  expect(await page.title()).not.toBe("hacked");
});

it("the server refuses a change without the token of the session", async () => {
  const app = await openApp(host(), "Forged");
  await app.order({ bizNo: "forged-1" });
  const page = await open(`/orders/${app.appId}/forged-1`, { role: "support" });
  await page.getByRole("heading", { name: /forged-1/ }).waitFor();
  const status = await page.evaluate(async (address) => {
    const body = JSON.stringify({ reason: "forged" });
    return (await fetch(address, { method: "POST", body })).status;
  }, `${host().url}/api/orders/${app.appId}/forged-1/close`);
  expect(status).toBe(403);
  await page.reload();
  await page.getByText("Pending", { exact: true }).waitFor();
});

it("the page stores nothing of the session where scripts can read it", async () => {
  const page = await open("/today", { role: "support" });
  await page.getByRole("heading", { name: "Today" }).waitFor();
  expect(await page.evaluate("document.cookie")).toBe("");
  const stored = await page.evaluate("JSON.stringify([{ ...localStorage }, { ...sessionStorage }])");
  expect(stored).not.toMatch(/csrf|token|session"/i);
});

it("the page asks to sign in again when the session ends, and then shows the same view", async () => {
  const page = await open("/orders", { role: "support" });
  await page.getByRole("heading", { name: "Orders" }).waitFor();
  await page.context().clearCookies();
  await page.getByRole("link", { name: "Bills" }).click();
  await page.getByRole("heading", { name: "Sign in" }).waitFor();
  expect(page.url()).toBe(`${host().url}/bills`);
});
