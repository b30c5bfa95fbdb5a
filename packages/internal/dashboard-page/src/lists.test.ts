import { buffer } from "node:stream/consumers";
import { aFoundException, anAccount, DAY, expectOk } from "@tillkit/contract-tests";
import { lastBillDay } from "@tillkit/core";
import { outRefundNo } from "@tillkit/core/ports";
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { openApp } from "./testing/demo-shop.js";
import { testPages } from "./testing/test-page.js";

const { host, open } = testPages();

/** Presses the export, and returns the file. */
async function exported(page: Page): Promise<string> {
  const downloading = page.waitForEvent("download");
  await page.getByRole("button", { name: "Export CSV" }).click();
  return (await buffer(await (await downloading).createReadStream())).toString();
}

/** The requests of a page for lists and exports. */
function requestsOf(page: Page): string[] {
  const sent: string[] = [];
  page.on("request", (request) => {
    const { pathname } = new URL(request.url());
    if (
      /\/api\/(?:orders|refunds|bill-exceptions|bill-days|bill-report|audit|downloads)(?:\.csv)?$/.test(
        pathname,
      )
    )
      sent.push(pathname);
  });
  return sent;
}

describe("a filter that cannot be read", () => {
  it.each([
    ["/orders", "min=1,000", "“1,000” cannot be read as an amount"],
    ["/orders", "max=-5", "“-5” cannot be read as an amount"],
    ["/orders", "min=5&max=1", "The end is before the start."],
    ["/orders", "from=2026-02-30", "“2026-02-30” is not a day that exists"],
    ["/orders", "from=2026-02-02&until=2026-02-01", "The end is before the start."],
    ["/orders", "status=PAYED", "“PAYED” is not one of the choices"],
    ["/orders", "channel=CASH", "“CASH” is not one of the choices"],
    ["/orders", "alarm=yes", "“yes” is not one of the choices"],
    ["/orders", "app=app_none", "“app_none” is not one of the choices"],
    ["/refunds", "status=PAID", "“PAID” is not one of the choices"],
    ["/refunds", "min=1e3", "“1e3” cannot be read as an amount"],
    ["/refunds", "until=27.11.2026", "“27.11.2026” is not a day that exists"],
    ["/bills", "kind=ODD", "“ODD” is not one of the choices"],
    ["/bills", "state=open", "“open” is not one of the choices"],
    ["/bills", "day=2026-13-01", "“2026-13-01” is not a day that exists"],
    ["/bills", "tab=days&until=2026-02-30", "“2026-02-30” is not a day that exists"],
    ["/audit", "action=order.pay", "“order.pay” is not one of the choices"],
    ["/audit", "from=yesterday", "“yesterday” is not a day that exists"],
    ["/audit", "outcome=ok", "“ok” is not one of the choices"],
    ["/downloads", "until=2026-02-30", "“2026-02-30” is not a day that exists"],
    ["/downloads", "from=2026-03-01&until=2026-02-01", "The end is before the start."],
    ["/downloads", "app=app_none", "“app_none” is not one of the choices"],
    ["/reports", "period=2026-13", "“2026-13” is neither a month nor a day"],
    ["/reports", "period=2026-02-30", "“2026-02-30” is neither a month nor a day"],
    ["/reports", "app=app_none", "“app_none” is not one of the choices"],
    ["/reports", "gateway=prod", "“prod” is not one of the choices"],
  ])("of %s?%s says so, and neither list nor export runs", async (path, query, message) => {
    const page = await open("/today", { role: "finance" });
    const sent = requestsOf(page);
    await page.goto(`${host().url}${path}?${query}`);
    await page.getByText(message).waitFor();
    await page.getByText("A filter cannot be read").waitFor();
    for (const exporting of await page.getByRole("button", { name: /^Export / }).all())
      expect(await exporting.isDisabled()).toBe(true);
    expect(sent).toEqual([]);
    await page.context().close();
  });

  it.each([
    ["/bills", "tab=month", "tab: “month” is not one of the choices."],
    ["/setup", "tab=keys", "tab: “keys” is not one of the choices."],
    ["/setup", "tab=service-types&app=app_none", "“app_none” is not one of the choices."],
    ["/refunds", "tab=done", "tab: “done” is not one of the choices."],
    ["/refunds", "tab=decided&mine=yes", "mine: “yes” is not one of the choices."],
    ["/refunds", "tab=decided&notMade=1", "notMade: “1” is not one of the choices."],
    ["/orders", "status=PAID&status=CLOSE", "“PAID, CLOSE” is not one of the choices."],
  ])("of %s?%s is named beside its control, and its list does not run", async (path, query, message) => {
    const page = await open("/today", { role: "admin" });
    const sent: string[] = [];
    page.on("request", (request) => {
      const { pathname } = new URL(request.url());
      if (/\/api\/(?:bill-exceptions|refund-approvals|orders|setup\/.*)$/.test(pathname)) sent.push(pathname);
    });
    await page.goto(`${host().url}${path}?${query}`);
    await page.getByText(message).waitFor();
    expect(sent).toEqual([]);
    await page.context().close();
  });

  it("of a language that the page does not have is named beside the switch", async () => {
    const page = await open("/orders?lang=fr", { role: "viewer", locale: "zh-CN" });
    await page.getByText("“fr”不在可选范围内。").waitFor();
    const language = page.getByLabel("语言");
    expect(await language.getAttribute("aria-invalid")).toBe("true");
    await language.selectOption("English");
    await page.getByRole("heading", { name: "Orders", exact: true }).waitFor();
    expect(await page.getByText("is not one of the choices").count()).toBe(0);
    await page.goto(`${host().url}/nowhere?lang=`);
    await page.getByRole("heading", { level: 1 }).waitFor();
    expect(await page.locator("[aria-invalid=true]").count()).toBe(0);
  });

  it("that only the server refuses is named beside its field, too", async () => {
    const page = await open("/bills?tab=days&from=2026-01-01&until=2026-06-30", { role: "finance" });
    const until = page.getByLabel("Until");
    await page.locator(".field").filter({ has: until }).getByText("too many days after it").waitFor();
    expect(await until.getAttribute("aria-invalid")).toBe("true");
    await until.fill("2026-03-31");
    await until.press("Enter");
    await page.getByText("No bill has been compared in this period.").waitFor();
    expect(await until.getAttribute("aria-invalid")).not.toBe("true");
    await page.goto(`${host().url}/downloads?from=2020-01-01&until=2026-01-01`);
    await page.locator(".field").getByText("too many days after it").waitFor();
    expect(await page.getByRole("button", { name: "Export CSV" }).first().isDisabled()).toBe(true);
  });

  it("is named beside its field in the form, and a valid filter shows the list again", async () => {
    const app = await openApp(host(), "Unreadable");
    await app.order({ bizNo: "unreadable-1", amount: 200_000, customerIdentity: "unreadable" });
    const page = await open("/orders?customer=unreadable", { role: "viewer" });
    await page.getByRole("link", { name: "unreadable-1" }).waitFor();
    const amount = page.getByLabel("Amount from, ¥");
    await amount.fill("1,000");
    await amount.press("Enter");
    await page.getByText("“1,000” cannot be read as an amount").waitFor();
    expect(await amount.getAttribute("aria-invalid")).toBe("true");
    expect(await page.getByRole("link", { name: "unreadable-1" }).count()).toBe(0);
    expect(await page.getByRole("button", { name: "Export CSV" }).isDisabled()).toBe(true);
    await amount.fill("1000");
    await amount.press("Enter");
    await page.getByRole("link", { name: "unreadable-1" }).waitFor();
    await page.goto(`${host().url}/orders?from=2026-02-30`);
    await page.getByLabel("From", { exact: true }).fill("2026-02-28");
    await page.getByRole("button", { name: "Apply" }).click();
    await page.getByText(/^Orders: /).waitFor();
  });
});

describe("an export", () => {
  it("has what the list shows, and its numbers survive a spreadsheet", async () => {
    const app = await openApp(host(), "Export");
    const numbers = ["00123", "1E5", "20261127000000000001", "3-4"];
    for (const bizNo of numbers) await app.order({ bizNo, customerIdentity: "exported" });
    await app.order({ bizNo: "other-1", customerIdentity: "not-exported" });
    const page = await open("/orders?customer=exported", { role: "viewer" });
    await page.getByText("Orders: 4").waitFor();
    const shown = await page.locator("tbody a").allInnerTexts();
    const [header, ...lines] = (await exported(page)).trimEnd().split("\r\n");
    expect(header).toMatch(/^\uFEFFcreated,appId,bizNo,/);
    expect(lines.map((line) => /,"'([^"]*)",/.exec(line)?.[1])).toEqual(
      shown.filter((one) => numbers.includes(one)),
    );
    expect(lines).toHaveLength(4);
  });

  it("that is refused says why in the page", async () => {
    const page = await open("/orders", { role: "viewer" });
    await page.route("**/api/orders.csv*", (route) =>
      route.fulfill({
        status: 429,
        contentType: "application/json",
        body: '{"error":{"name":"exports.limited","message":"Too many exports are running","traceId":"t-1"}}',
      }),
    );
    await page.getByRole("button", { name: "Export CSV" }).click();
    await page.getByRole("alert").getByText("Too many exports are running").waitFor();
    expect(page.url()).toBe(`${host().url}/orders`);
    await page.unroute("**/api/orders.csv*");
    await page.route("**/api/orders.csv*", (route) => route.abort());
    await page.getByRole("button", { name: "Export CSV" }).click();
    await page.getByRole("alert").getByText("The server did not respond").waitFor();
  });
});

describe("the list of refunds", () => {
  it("is filtered by every field, which the address keeps, and exported as it is shown", async () => {
    const app = await openApp(host(), "Refund list");
    for (const [bizNo, amount] of [
      ["rl-1", 500],
      ["rl-2", 900],
    ] as const) {
      await app.pay(await app.order({ bizNo, amount: 1_000 }));
      await app.refund(bizNo, `no-${bizNo}`, amount, `op-${bizNo}`);
    }
    const page = await open(`/refunds?app=${app.appId}`, { role: "finance" });
    const row = (number: string) => page.getByRole("cell", { name: number, exact: true });
    await row("no-rl-2").waitFor();
    await page.getByLabel("Operator").fill("op-rl-1");
    await page.getByRole("button", { name: "Apply" }).click();
    await row("no-rl-2").waitFor({ state: "detached" });
    await row("no-rl-1").waitFor();
    expect(new URL(page.url()).searchParams.get("operator")).toBe("op-rl-1");
    await page.reload();
    await row("no-rl-1").waitFor();
    for (const query of ["number=no-rl-2", "number=%60rl-2", "min=6.00", "operator=op-rl-2"]) {
      await page.goto(`${host().url}/refunds?app=${app.appId}&status=CONFIRMED&${query}`);
      await row("no-rl-2").waitFor();
      expect(await row("no-rl-1").count()).toBe(0);
    }
    const [, ...lines] = (await exported(page)).trimEnd().split("\r\n");
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatch(/,rl-2,no-rl-2,WALLET_[AB],9\.00,CONFIRMED,op-rl-2,/);
    await page.goto(`${host().url}/refunds?app=${app.appId}&status=FAILED`);
    await page.getByText("No refund matches these filters.").waitFor();
  });

  it("is reached by the number of a refund in the search box", async () => {
    const app = await openApp(host(), "Refund search");
    await app.pay(await app.order({ bizNo: "rs-1", amount: 1_000 }));
    await app.refund("rs-1", "find-me-77", 500, "han");
    const page = await open("/orders", { role: "support" });
    await page.getByRole("searchbox").fill("\uFEFF='find-me-77'\t");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: /rs-1/ }).waitFor();
  });
});

describe("the search box", () => {
  it.each([
    ["a back-tick", "`4200111122223333444455556666"],
    ["a formula", '="4200111122223333444455556666"'],
    ["full-width digits", "４２００111122223333444455556666"],
    ["invisible characters", "4200\u200B1111\u00A022223333444455556666\u2060"],
  ])("finds a number with %s", async (_, pasted) => {
    const app = await openApp(host(), "Pasted");
    const bizNo = "4200111122223333444455556666";
    await app.order({ bizNo, customerIdentity: "pasted" });
    const page = await open("/orders", { role: "support", apps: [app.appId] });
    await page.getByRole("searchbox").fill(pasted);
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: `¥6.00 · ${bizNo}` }).waitFor();
    await page.context().close();
  });
});

describe("bill days", () => {
  it("are compared by a button, once for a double click and harmlessly from two tabs", async () => {
    const { appId } = await openApp(host(), "Compare");
    const { payTools, auditLog, clock } = host().ports;
    const now = clock.now();
    const tool = { id: "compare-1", accountId: "compare-1", appEnv: "DEV", payChannel: "WALLET_A" } as const;
    await expectOk(payTools.put(anAccount({ ...tool, appId, gmtCreate: now - 3 * DAY })));
    const day = lastBillDay(now);
    const page = await open(`/bills?tab=days&from=${day}&until=${day}`, { role: "finance" });
    const other = await page.context().newPage();
    await other.goto(page.url());
    const button = { name: `Compare now: the bill of ${day}, compare-1` };
    await other.getByRole("button", button).waitFor();
    await page.getByRole("button", button).dblclick();
    await page.getByText("Compared now. No exception is open.").waitFor();
    await page.getByRole("button", button).waitFor({ state: "detached" });
    const entries = async () =>
      (await expectOk(auditLog.search({ action: "bill-day.compare", limit: 10 }))).items;
    expect(await entries()).toMatchObject([
      { outcome: "done", subject: `bill-day: ${day} WALLET_A DEV compare-1` },
    ]);
    // The other tab does not know yet that the day was compared.
    await other.getByRole("button", button).click();
    await other.getByText("Compared now. No exception is open.").waitFor();
    expect(await entries()).toHaveLength(2);
    await page.context().close();
  });

  it("say why a bill was not compared, and offer nothing to a viewer", async () => {
    const { appId } = await openApp(host(), "Not compared");
    const { payTools, wallets, clock } = host().ports;
    const now = clock.now();
    const tool = { id: "compare-2", accountId: "compare-2", appEnv: "DEV", payChannel: "WALLET_A" } as const;
    await expectOk(payTools.put(anAccount({ ...tool, appId, gmtCreate: now - 3 * DAY })));
    const day = lastBillDay(now);
    const path = `/bills?tab=days&from=${day}&until=${day}`;
    const page = await open(path, { role: "finance" });
    const wallet = wallets.WALLET_A;
    if (!("failNext" in wallet)) throw new TypeError("The wallet is not in memory.");
    wallet.failNext("readBill", { name: "wallet.unknown", cause: "network", detail: "lost" });
    await page.getByRole("button", { name: `Compare now: the bill of ${day}, compare-2` }).click();
    await page.getByRole("alert").getByText("nothing was compared").waitFor();
    const viewer = await open(path, { role: "viewer" });
    await viewer.getByText("compare-2").waitFor();
    expect(await viewer.getByRole("button", { name: /^Compare now/ }).count()).toBe(0);
  });
});

describe("bill exceptions", () => {
  it("are listed newest first, in pages, and resolved one or several at once, until all are done", async () => {
    const found = Array.from({ length: 55 }, (_, nth) =>
      aFoundException({
        id: `x-${String(nth).padStart(2, "0")}`,
        outTradeNo: `number-${nth}`,
        at: 1_000 + nth,
        day: nth < 50 ? "2026-11-20" : "2026-11-21",
        asOf: 1,
        accountId: "1600000001",
      }),
    );
    await expectOk(host().ports.billExceptions.report(found));
    const page = await open("/bills", { role: "finance" });
    await page.getByText("Exceptions: 55").waitFor();
    const cards = page.locator("article");
    expect(await cards.count()).toBe(50);
    expect(await cards.first().textContent()).toContain("number-54");
    await page.getByRole("link", { name: "Older" }).click();
    await page.getByText("number-4", { exact: true }).waitFor();
    expect(await cards.count()).toBe(5);
    expect(await page.getByRole("link", { name: "Older" }).count()).toBe(0);
    await page.goto(`${host().url}/bills?day=2026-11-21`);
    await page.getByText("Exceptions: 5", { exact: true }).waitFor();
    const csv = (await exported(page)).trimEnd().split("\r\n");
    expect(csv).toHaveLength(6);
    expect(csv[1]).toMatch(/^x-54,/);
    await cards.first().getByRole("button", { name: "Resolve" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Note").fill("paid by bank transfer");
    await dialog.getByRole("button", { name: "Resolve" }).click();
    await page.getByText("Exceptions: 4", { exact: true }).waitFor();
    await expect.poll(() => page.evaluate("document.activeElement?.dataset?.card")).toBe("x-53");
    // The button stays in reach while more are chosen.
    await cards.last().getByRole("checkbox").check();
    await cards.last().scrollIntoViewIfNeeded();
    const chosen = await page.getByRole("button", { name: "Resolve 1" }).boundingBox();
    expect(chosen?.y).toBeGreaterThanOrEqual(0);
    expect(chosen?.y).toBeLessThan(720);
    // Another operator resolves one of the chosen exceptions.
    await page.getByLabel("Choose all on this page").check();
    const resolution = { operator: "other", note: "done", at: 5_000, remedy: "settle" } as const;
    await expectOk(host().ports.billExceptions.resolve("x-52", resolution));
    await page.getByRole("button", { name: "Resolve 4" }).click();
    await dialog.getByLabel("Note").fill("a test day");
    await dialog.getByRole("button", { name: "Resolve 4" }).click();
    await page.getByText("No exception matches these filters.").waitFor();
    const log = (
      await expectOk(host().ports.auditLog.search({ action: "bill-exception.resolve", limit: 10 }))
    ).items.filter(({ subject }) => subject.startsWith("bill-exception:"));
    expect(log.map(({ reason }) => reason)).toEqual([
      "a test day",
      "a test day",
      "a test day",
      "paid by bank transfer",
    ]);
    for (const id of found.map((one) => one.id))
      await expectOk(host().ports.billExceptions.resolve(id, resolution));
    await page.goto(`${host().url}/bills`);
    await page.getByText("All done: no exception is open.").waitFor();
  });
});

describe("Sync", () => {
  it("asks the wallet about an open refund, which the order announces before", async () => {
    const app = await openApp(host(), "Sync");
    const order = await app.order({ bizNo: "sync-1", amount: 1_000 });
    await app.pay(order);
    const { WALLET_A: wallet } = host().ports.wallets;
    wallet.holdNextRefund();
    await app.refund("sync-1", "r-1", 500, "han");
    const page = await open(`/orders/${app.appId}/sync-1`, { role: "support" });
    await page.getByText("The refund r-1 is open.").waitFor();
    wallet.endRefund(order.id, outRefundNo(order, { refundNo: "r-1" }), "CONFIRMED");
    const refunds = page.getByRole("region", { name: "Refunds" });
    await refunds.getByRole("button", { name: "Sync" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Reason").fill("the customer called");
    await dialog.getByRole("button", { name: "Sync" }).click();
    await dialog.waitFor({ state: "detached" });
    await refunds.getByRole("button", { name: "Sync" }).waitFor({ state: "detached" });
    expect(await page.getByText("The refund r-1 is open.").count()).toBe(0);
  });
});

describe("the audit log", () => {
  it("is searched by the plain number of an order, and by an action under its name", async () => {
    const app = await openApp(host(), "Audited");
    await app.order({ bizNo: "audited-1" });
    const page = await open(`/orders/${app.appId}/audited-1`, { role: "finance" });
    await page.getByRole("button", { name: "Sync", exact: true }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Reason").fill("asked about audited-1");
    await dialog.getByRole("button", { name: "Sync", exact: true }).click();
    await dialog.waitFor({ state: "detached" });
    await page.goto(`${host().url}/audit`);
    await page.getByLabel("Number or subject").fill("'audited-1");
    await page.getByRole("button", { name: "Apply" }).click();
    await page.getByRole("cell", { name: "asked about audited-1" }).waitFor();
    expect(await page.locator("tbody tr").count()).toBe(1);
    await page.getByLabel("Action").selectOption("Order closed");
    await page.getByText("No entry matches these filters.").waitFor();
    expect(new URL(page.url()).searchParams.get("action")).toBe("order.close");
    await page.getByLabel("Action").selectOption("Wallet asked about an order");
    await page.getByRole("cell", { name: "asked about audited-1" }).waitFor();
  });
});
