import { expectOk } from "@tillkit/contract-tests";
import type { Page } from "playwright-core";
import { afterEach, expect, it } from "vitest";
import { openApp } from "../testing/demo-shop.js";
import { PASSWORD } from "../testing/open-host.js";
import { fillRefund } from "../testing/refund-steps.js";
import { codeOf, signIn } from "../testing/sign-in.js";
import { describeEverywhere } from "../testing/test-page.js";

describeEverywhere("a change whose answer is lost", {}, ({ host, open, profile }) => {
  afterEach(() => {
    Object.assign(host().faults, {
      losesAnswersOf: undefined,
      failsAnswersOf: undefined,
      losesRequestsOf: undefined,
    });
  });

  const refundsSent = (bizNo: string) =>
    host().seen.filter(({ method, url }) => method === "POST" && url.endsWith(`/${bizNo}/refunds`));

  async function aPaidOrder(bizNo: string, amount = 600) {
    const app = await openApp(host(), bizNo);
    await app.pay(await app.order({ bizNo, amount }));
    const refunds = () => expectOk(host().ports.refunds.list({ appId: app.appId, bizNo }));
    return { app, refunds, path: `/orders/${app.appId}/${bizNo}` };
  }

  /** Fills in a refund of 1 yuan and presses its button. */
  async function pressRefund(page: Page): Promise<void> {
    await fillRefund(page, "1.00", "1");
    await page.getByRole("button", { name: "Refund now" }).click();
  }

  it.each([
    ["is dropped", "losesAnswersOf"],
    ["is the 502 of a proxy", "failsAnswersOf"],
  ] as const)("is made once, and shown as made, if the answer %s", async (_, fault) => {
    const bizNo = `lost-${fault}`;
    const { path, refunds } = await aPaidOrder(bizNo);
    const page = await open(path, { role: "finance" });
    host().faults[fault] = /\/refunds$|\/api\/changes\//;
    await pressRefund(page);
    const dialog = page.getByRole("dialog");
    await dialog.getByText("It is not known whether the refund was made.").waitFor();
    // A reopened dialog and a reload show the same change, and send no other one.
    await dialog.getByRole("button", { name: "Close" }).click();
    await page.getByRole("button", { name: "Refund…" }).click();
    await dialog.getByText("It is not known whether the refund was made.").waitFor();
    await page.reload();
    await page.getByText("It is not known whether the refund was made.").waitFor();
    // Chromium itself repeats a request whose connection is dropped. It has the same id.
    const ids = refundsSent(bizNo).map(({ headers }) => headers["x-change-id"]);
    expect(new Set(ids).size).toBe(1);
    host().faults[fault] = undefined;
    // The page also asks by itself, and then the button disappears.
    const asked = page.getByRole("button", { name: "Ask now" }).click({ timeout: 5_000 });
    await asked.catch(() => undefined);
    await page.getByText("The server has made the change.").waitFor();
    await page.getByText("¥5.00 can still be refunded.").waitFor();
    await page.getByRole("button", { name: "OK" }).click();
    expect(await refunds()).toMatchObject([{ amount: 100 }]);
    // Now the outcome is known, so the next refund is another one.
    await pressRefund(page);
    await page.getByText(/is refunded\./).waitFor();
    const numbers = (await refunds()).map(({ refundNo }) => refundNo);
    expect(new Set(numbers).size).toBe(2);
  });

  it("is sent again with the same id and number if it has not arrived", async () => {
    const { path, refunds } = await aPaidOrder("away-1");
    const page = await open(path, { role: "finance" });
    host().faults.losesRequestsOf = /\/refunds$/;
    await pressRefund(page);
    const dialog = page.getByRole("dialog");
    await dialog.getByText("The server has not received the change so far.").waitFor();
    host().faults.losesRequestsOf = undefined;
    await dialog
      .getByText("The change did not arrive at the server, and nothing was changed.")
      .waitFor({ timeout: 60_000 });
    expect(await refunds()).toEqual([]);
    await dialog.getByRole("button", { name: "Send again" }).click();
    await dialog.getByText(/is refunded\./).waitFor();
    expect(await refunds()).toHaveLength(1);
    const ids = refundsSent("away-1").map(({ headers }) => headers["x-change-id"]);
    expect(ids.length).toBeGreaterThan(1);
    expect(new Set(ids).size).toBe(1);
  });

  it.each([
    ["", undefined],
    [", also if that answer is lost", /\/refunds$/],
  ] as const)(
    "and that was given up is not mistaken for the next change, if it arrives later%s",
    { timeout: 180_000 },
    async (name, loses) => {
      const bizNo = `late-${String(name.length)}`;
      const { path, refunds } = await aPaidOrder(bizNo);
      const page = await open(path, { role: "finance" });
      host().faults.losesRequestsOf = /\/refunds$/;
      const sent = page.waitForRequest((request) => request.url().endsWith("/refunds"));
      await pressRefund(page);
      const late = await sent;
      const dialog = page.getByRole("dialog");
      await dialog.getByText("The change did not arrive at the server").waitFor({ timeout: 60_000 });
      await dialog.getByRole("button", { name: "Do not send" }).click();
      host().faults.losesRequestsOf = undefined;
      await dialog.getByRole("button", { name: "Change the amount" }).click();
      await dialog.getByLabel("Amount in yuan").fill("2");
      await dialog.getByRole("button", { name: "Check" }).click();
      await dialog.getByLabel("Reason").fill("broken on arrival");
      await dialog.getByLabel("Type 2.00 to confirm").fill("2.00");
      // Only now, a proxy delivers the first change, which the operator gave up.
      const headers = late.headers();
      const { "x-change-id": id = "", "x-csrf-token": csrf = "" } = headers;
      const { origin } = host();
      const again = { "x-change-id": id, "x-csrf-token": csrf, origin, "content-type": "application/json" };
      const data = late.postData() ?? "";
      const arrived = await page.context().request.post(late.url(), { headers: again, data });
      expect(arrived.status()).toBe(200);
      host().faults.losesAnswersOf = loses;
      await dialog.getByRole("button", { name: "Refund now" }).click();
      if (loses !== undefined) {
        await dialog.getByText("It is not known whether the refund was made.").waitFor();
        host().faults.losesAnswersOf = undefined;
      }
      await dialog.getByText("This change was not made. The change before it, which you gave up").waitFor();
      expect(await page.getByText("The server has made the change.").count()).toBe(0);
      expect(await refunds()).toMatchObject([{ amount: 100 }]);
      await dialog.getByRole("button", { name: "OK" }).click();
      await fillRefund(page, "2.00", "2");
      await dialog.getByRole("button", { name: "Refund now" }).click();
      await page.getByText(/is refunded\./).waitFor();
      expect((await refunds()).map(({ amount }) => amount).toSorted()).toEqual([100, 200]);
    },
  );

  it("is shown as refused if the server refused it", async () => {
    const { app, path, refunds } = await aPaidOrder("refused-1");
    const page = await open(path, { role: "finance" });
    await fillRefund(page, "6.00");
    // Meanwhile a colleague refunds the order.
    await app.refund("refused-1", "r-1", 600, "li");
    host().faults.losesAnswersOf = /\/refunds$/;
    await page.getByRole("button", { name: "Refund now" }).click();
    await page
      .getByRole("dialog")
      .getByText(/The server (refused|could not make) the change\./)
      .waitFor();
    expect(await refunds()).toHaveLength(1);
  });

  it("of one operator is not shown to another operator in the same tab", async () => {
    const { path, refunds } = await aPaidOrder("tab-1");
    const context = await profile();
    for (const name of ["tab-han", "tab-li"]) await host().create(name, "finance");
    const key = await signIn(host(), context, "tab-han");
    const page = await context.newPage();
    await page.goto(`${host().url}${path}`);
    host().faults.losesAnswersOf = /\/refunds$|\/api\/changes\//;
    await pressRefund(page);
    await page.getByRole("dialog").getByText("It is not known").waitFor();
    await page.getByRole("dialog").getByRole("button", { name: "Close" }).click();
    await page.goto(`${host().url}/account`);
    await page.getByText("It is not known").waitFor();
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.getByRole("heading", { name: "Sign in" }).waitFor();
    host().faults.losesAnswersOf = undefined;
    await signIn(host(), context, "tab-li");
    await page.goto(`${host().url}${path}`);
    await page.getByRole("button", { name: "Refund…" }).waitFor();
    expect(await page.getByText("It is not known").count()).toBe(0);
    expect(await page.getByText("The server has made the change.").count()).toBe(0);
    // The first operator comes back, and learns the outcome.
    await page.goto(`${host().url}/account`);
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.getByLabel("Name", { exact: true }).fill("tab-han");
    await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
    await page.getByRole("button", { name: "Sign in" }).click();
    host().ports.clock.advance(60_000);
    await page.getByLabel("Code of 6 digits").fill(codeOf(key, host().ports.clock.now()));
    await page.getByRole("button", { name: "Continue" }).click();
    await page.getByText("The server has made the change.").waitFor();
    expect(await refunds()).toHaveLength(1);
    await context.close();
  });

  it("is made once also if the browser stores nothing", async () => {
    const { path, refunds } = await aPaidOrder("full-1");
    const page = await open("/", { role: "finance" });
    await page.addInitScript(`Storage.prototype.setItem = () => { throw new Error("full"); };`);
    await page.goto(`${host().url}${path}`);
    host().faults.losesAnswersOf = /\/refunds$/;
    await pressRefund(page);
    await page.getByRole("dialog").getByText("The server has made the change.").waitFor();
    expect(await refunds()).toHaveLength(1);
  });

  it("has a sentence for every kind of change, such as the close of an order", async () => {
    const app = await openApp(host(), "Kinds");
    await app.order({ bizNo: "kind-1" });
    const page = await open(`/orders/${app.appId}/kind-1`, { role: "support" });
    await page.getByRole("button", { name: "Close", exact: true }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Reason").fill("cancelled");
    host().faults.losesAnswersOf = /\/close$|\/api\/changes\//;
    await dialog.getByRole("button", { name: "Close", exact: true }).click();
    await dialog.getByText("It is not known whether the order was closed.").waitFor();
    host().faults.losesAnswersOf = undefined;
    // The dialog stays open although the page learns that the order is closed.
    await dialog.getByText("The server has made the change.").waitFor();
    await dialog.getByRole("button", { name: "OK" }).click();
    await dialog.waitFor({ state: "detached" });
    await page.getByText("Closed", { exact: true }).waitFor();
  });
});
