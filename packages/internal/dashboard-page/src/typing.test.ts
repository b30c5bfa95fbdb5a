import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { openApp } from "./testing/demo-shop.js";
import { holdRequests } from "./testing/hold-requests.js";
import { PASSWORD } from "./testing/open-host.js";
import { fillRefund } from "./testing/refund-steps.js";
import { codeOf, signIn } from "./testing/sign-in.js";
import { testPages } from "./testing/test-page.js";

const { host, open, profile } = testPages();
/** As long as a person holds a key, in milliseconds. */
const HELD = { delay: 20 };
const SEARCH = "Search orders and refunds";

describe("the code of the second factor", () => {
  /** The page that asks an operator for the code, and the code. */
  async function askedForCode(name: string) {
    await host().create(name, "finance");
    const context = await profile();
    const key = await signIn(host(), context, name);
    await context.clearCookies();
    // A code is accepted once.
    host().ports.clock.advance(60_000);
    const page = await context.newPage();
    await page.goto(`${host().url}/today`);
    await page.getByLabel("Name", { exact: true }).fill(name);
    await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
    await page.keyboard.press("Enter", HELD);
    await page.getByLabel("Code of 6 digits").waitFor();
    return { page, code: codeOf(key, host().ports.clock.now()) };
  }

  it("is sent once if Enter is pressed twice on a slow network", async () => {
    const { page, code } = await askedForCode("twice");
    const held = await holdRequests(page, "**/api/session/code");
    await page.getByLabel("Code of 6 digits").fill(code);
    await page.keyboard.press("Enter", HELD);
    await held.asked();
    await page.keyboard.press("Enter", HELD);
    held.release();
    await page.getByRole("heading", { name: "Today" }).waitFor();
    expect(held.count()).toBe(1);
  });

  it("can have full-width digits and spaces", async () => {
    const { page, code } = await askedForCode("wide");
    const wide = code.replaceAll(/\d/g, (digit) => String.fromCodePoint(0xff10 + Number(digit)));
    await page.getByLabel("Code of 6 digits").fill(`${wide.slice(0, 3)}\u3000${wide.slice(3)} `);
    await page.keyboard.press("Enter", HELD);
    await page.getByRole("heading", { name: "Today" }).waitFor();
  });
});

it("an amount can have full-width digits", async () => {
  const app = await openApp(host(), "wide");
  await app.pay(await app.order({ bizNo: "wide-1", amount: 600 }));
  const page = await open(`/orders/${app.appId}/wide-1`, { role: "finance" });
  await page.getByRole("button", { name: "Refund…" }).click();
  await page.getByLabel("Amount in yuan").fill("２．００");
  await page.keyboard.press("Enter", HELD);
  await page.getByLabel("Reason").fill("one of three returned");
  await page.getByLabel("Type 2.00 to confirm").fill(" ２.00");
  await page.getByRole("button", { name: "Refund now" }).click();
  await page.getByText("¥2.00 is refunded.").waitFor();
});

describe("the search", () => {
  it("does not open the only order that it has found before if there are more now", async () => {
    const app = await openApp(host(), "More");
    await app.order({ bizNo: "more-1", customerIdentity: "more-customer" });
    const page = await open("/orders", { role: "support" });
    const search = async () => {
      await page.getByLabel(SEARCH).fill("more-customer");
      await page.keyboard.press("Enter", HELD);
    };
    // The page loads an answer again if it is older than 5 seconds.
    await page.clock.install();
    await search();
    await page.getByRole("heading", { name: "more-1" }).waitFor();
    await app.order({ bizNo: "more-2", customerIdentity: "more-customer" });
    await page.clock.fastForward(10_000);
    await search();
    await page.getByRole("link", { name: "more-2" }).waitFor();
    expect(page.url()).toContain("/search?q=more-customer");
  });

  it("keeps the focus if the next number is typed before the answer", async () => {
    const app = await openApp(host(), "Slow");
    await app.order({ bizNo: "slow-1" });
    const page = await open("/account", { role: "support" });
    const held = await holdRequests(page, "**/api/orders/search**");
    await page.getByLabel(SEARCH).fill("slow-1");
    await page.keyboard.press("Enter", HELD);
    await held.asked();
    await page.getByLabel(SEARCH).fill("next");
    held.release();
    // The heading of the search contains the number, too.
    await page.waitForURL(`**/orders/${app.appId}/slow-1`);
    await page.getByRole("heading", { name: "slow-1" }).waitFor();
    // `g` and `o` would open the list of orders.
    await page.keyboard.type("-go");
    expect(await page.getByLabel(SEARCH).inputValue()).toBe("next-go");
    expect(page.url()).toContain("/slow-1");
  });
});

describe("the filters keep the focus", () => {
  const focused = (page: Page, label: string) => page.getByLabel(label).and(page.locator(":focus")).waitFor();

  it("after Enter, and when a key chooses another value", async () => {
    const page = await open("/orders?min=1", { role: "support" });
    await page.getByLabel("Customer").fill("user-1");
    await page.keyboard.press("Enter", HELD);
    await page.waitForURL(/customer=user-1/);
    await focused(page, "Customer");
    await page.getByLabel("Status").focus();
    for (const status of ["PENDING", "PAID"]) {
      await page.keyboard.press("ArrowDown", HELD);
      await page.waitForURL(new RegExp(`status=${status}`));
      await focused(page, "Status");
    }
    // The fields follow the address.
    await page.getByRole("button", { name: "Clear the filters" }).click();
    await page.waitForURL((url) => url.search === "");
    expect(await page.getByLabel("Customer").inputValue()).toBe("");
    await page.goBack();
    await expect.poll(() => page.getByLabel("Customer").inputValue()).toBe("user-1");
  });
});

it("single keys open no view while a dialog shows that an answer was lost", async () => {
  const app = await openApp(host(), "Keys below");
  await app.pay(await app.order({ bizNo: "below-1", amount: 600 }));
  const page = await open(`/orders/${app.appId}/below-1`, { role: "finance" });
  await fillRefund(page, "6.00");
  host().faults.losesAnswersOf = /refunds$/;
  await page.keyboard.press("Enter", HELD);
  await page.getByRole("dialog").getByText("The server has made the change.").waitFor();
  host().faults.losesAnswersOf = undefined;
  await expect
    .poll(() => page.evaluate("document.activeElement.closest('[role=dialog]') !== null"))
    .toBe(true);
  // Also if no element has the focus.
  await page.evaluate("document.activeElement.blur()");
  for (const key of ["g", "o"]) await page.keyboard.press(key, HELD);
  await page.getByRole("dialog").getByRole("button", { name: "OK" }).click();
  await page.getByRole("dialog").waitFor({ state: "detached" });
  expect(page.url()).toContain("/below-1");
});
