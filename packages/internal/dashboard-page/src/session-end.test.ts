import { expect, it } from "vitest";
import { openApp } from "./testing/demo-shop.js";
import { PASSWORD } from "./testing/open-host.js";
import { fillRefund } from "./testing/refund-steps.js";
import { codeOf, signIn } from "./testing/sign-in.js";
import { testPages } from "./testing/test-page.js";

const { host, profile } = testPages();
const HOUR = 60 * 60_000;

async function aFilledForm(name: string) {
  const app = await openApp(host(), name);
  await app.pay(await app.order({ bizNo: `${name}-1` }));
  await host().create(name, "finance");
  const context = await profile();
  const key = await signIn(host(), context, name);
  const page = await context.newPage();
  await page.goto(`${host().url}/orders/${app.appId}/${name}-1`);
  await fillRefund(page, "6.00");
  const enter = async (who: string) => {
    await page.getByLabel("Name", { exact: true }).fill(who);
    await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
    await page.getByRole("button", { name: "Sign in" }).click();
  };
  const enterCode = async (of: string) => {
    await page.getByLabel("Code of 6 digits").fill(codeOf(of, host().ports.clock.now()));
    await page.getByRole("button", { name: "Continue" }).click();
  };
  return { app, page, key, enter, enterCode };
}

it("the page keeps what was typed when the session ends, for the same operator", async () => {
  const { page, key, enter, enterCode } = await aFilledForm("typed");
  host().ports.clock.advance(2 * HOUR);
  // The page notices when it loads the order again.
  await page.getByRole("heading", { name: "Sign in" }).waitFor();
  expect(await page.getByRole("dialog").isVisible()).toBe(false);
  expect(await page.getByText("typed-1").first().isVisible()).toBe(false);
  await enter("typed");
  await enterCode(key);
  const dialog = page.getByRole("dialog");
  await dialog.waitFor();
  expect(await dialog.getByLabel("Reason").inputValue()).toBe("broken on arrival");
  await dialog.getByRole("button", { name: "Refund now" }).click();
  await page.getByText(/¥[\d.]+ is refunded\./).waitFor();
});

it("the page shows another operator nothing of what was typed", async () => {
  const { page, enter, enterCode } = await aFilledForm("private");
  await host().create("other", "finance");
  host().ports.clock.advance(2 * HOUR);
  // The page notices when it loads the order again.
  await page.getByRole("heading", { name: "Sign in" }).waitFor();
  await enter("other");
  await page.getByRole("img", { name: /QR code/ }).waitFor();
  await enterCode((await page.locator(".secret .mono").textContent()) ?? "");
  await page.getByRole("button", { name: "Refund…" }).waitFor();
  expect(await page.getByRole("dialog").count()).toBe(0);
  expect(await page.content()).not.toContain("broken on arrival");
});

it("the session ends after an hour without use, although the page loads its data again by itself", async () => {
  await host().create("away", "finance");
  const context = await profile();
  await signIn(host(), context, "away");
  const page = await context.newPage();
  await page.goto(`${host().url}/today`);
  await page.getByRole("heading", { name: "Today" }).waitFor();
  const read = async (headers: Readonly<Record<string, string>> = {}) =>
    page.evaluate(async ([address, sent]) => (await fetch(address, { headers: sent })).status, [
      `${host().url}/api/today`,
      { ...headers },
    ] as const);
  for (let minutes = 0; minutes < 50; minutes += 10) {
    host().ports.clock.advance(10 * 60_000);
    expect(await read()).toBe(200);
  }
  // A person comes back in time.
  expect(await read({ "x-attended": "1" })).toBe(200);
  host().ports.clock.advance(50 * 60_000);
  expect(await read()).toBe(200);
  host().ports.clock.advance(11 * 60_000);
  expect(await read()).toBe(401);
});
