import { buffer } from "node:stream/consumers";
import { anAccount, expectOk } from "@tillkit/contract-tests";
import {
  billReportInput,
  openBillReport,
  orThrow,
  parseInput,
  reconcileBills,
  reconcileBillsInput,
} from "@tillkit/core";
import { billReportTexts } from "@tillkit/core/operators";
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { openApp } from "./testing/demo-shop.js";
import { keepBill } from "./testing/keep-bill.js";
import { testPages } from "./testing/test-page.js";

const DAY = 86_400_000;

const { host, open } = testPages();

async function compareBills(day: string): Promise<void> {
  const input = orThrow(parseInput(reconcileBillsInput(), { day }));
  await expectOk(reconcileBills(host().ports, input));
}

/** Opens an app with payments of three days. The bill of the second day was not read. */
async function openMonth() {
  const app = await openApp(host(), "Month");
  const { clock } = host().ports;
  await app.pay(await app.order({ bizNo: "m-1", amount: 12_345 }));
  await app.pay(await app.order({ bizNo: "m-2", amount: 9_900, payChannel: "WALLET_B" }));
  clock.advance(DAY);
  await app.pay(await app.order({ bizNo: "m-3", amount: 1 }));
  clock.advance(DAY);
  await app.pay(await app.order({ bizNo: "m-4", amount: 700 }));
  await app.refund("m-1", "r-1", 345, "han");
  clock.advance(DAY);
  for (const day of ["2026-11-23", "2026-11-25"]) await compareBills(day);
  return app;
}

/** Returns the file that `tillkit reports` writes. */
async function commandLineFile(
  parameters: Readonly<Record<string, string>>,
  hasLines: boolean,
): Promise<string> {
  const input = orThrow(parseInput(billReportInput(), parameters));
  const report = await expectOk(openBillReport(host().ports, input, () => true));
  const next = billReportTexts(report, "csv", hasLines);
  let file = "";
  for (;;) {
    const texts = await expectOk(next());
    if (texts.length === 0) return file;
    file += texts.join("");
  }
}

/** Returns the rows of a record of a file, by the names of the columns. */
function rowsOf(file: string, record: string) {
  const [header = [], ...rows] = file
    .replace("\uFEFF", "")
    .trimEnd()
    .split("\r\n")
    .map((line) => line.split(","));
  return rows
    .map((cells) => new Map(header.map((name, nth) => [name, cells[nth] ?? ""])))
    .filter((row) => row.get("record") === record);
}

/** Returns an amount of a file as the page shows it. */
function shown(yuan: string | undefined): string {
  return Number(yuan).toLocaleString("en-US", {
    style: "currency",
    currency: "CNY",
    currencyDisplay: "narrowSymbol",
  });
}

/** Presses an export, and returns the file and its name. */
async function exported(page: Page, button: string) {
  const downloading = page.waitForEvent("download");
  await page.getByRole("button", { name: button, exact: true }).click();
  const download = await downloading;
  return {
    name: download.suggestedFilename(),
    text: (await buffer(await download.createReadStream())).toString(),
  };
}

async function loaded(page: Page): Promise<void> {
  await page.getByRole("heading", { name: "Reports" }).waitFor();
  await page.locator("main:not(:has([aria-busy=true]))").waitFor();
}

/** Moves the focus by the tab key until it is on the link or button. */
async function tabTo(page: Page, name: string): Promise<void> {
  for (let presses = 0; presses < 60; presses += 1) {
    if ((await page.evaluate("document.activeElement?.textContent")) === name) return;
    await page.keyboard.press("Tab");
  }
  throw new Error(`No control with the name ${name} gets the focus.`);
}

describe("the report of a month", () => {
  it("has the sums of the command line to the cent, and the same files", async () => {
    const { appId } = await openMonth();
    const page = await open(`/reports?period=2026-11&app=${appId}`, { role: "finance" });
    await loaded(page);
    const asked = { period: "2026-11", appId };
    const file = await commandLineFile(asked, false);
    const total = rowsOf(file, "total").find((row) => row.get("channel") === "");
    const figures = page.locator("main .figure");
    const figure = (name: string) => figures.filter({ hasText: name }).locator(".figure-value").innerText();
    for (const [name, column] of [
      ["Paid by customers", "paymentAmount"],
      ["Refunded", "refundAmount"],
      ["Received before fees", "received"],
      ["Net", "net"],
    ] as const)
      expect(await figure(name), name).toBe(shown(total?.get(column)));
    expect(total?.get("paymentAmount")).toBe("229.45");
    expect(total?.get("refundAmount")).toBe("3.45");
    expect(await figures.nth(3).locator(".figure-value").innerText()).toBe(shown(total?.get("fees")));
    expect(Number(total?.get("fees"))).toBeGreaterThan(0);
    const cellsOf = async (table: string) => {
      const rows = await page.getByRole("table", { name: table }).locator("tbody tr").all();
      return Promise.all(rows.map(async (row) => row.getByRole("cell").allInnerTexts()));
    };
    const days = await cellsOf("By day");
    expect(days.map(([day]) => day)).toEqual(["2026-11-23", "2026-11-25"]);
    const [first, second] = days;
    expect(first?.slice(1, 4)).toEqual(["2", "0", "¥222.45"]);
    expect(second?.slice(1, 5)).toEqual(["1", "1", "¥7.00", "¥3.45"]);
    const accounts = await cellsOf("By channel, account and app");
    const totals = rowsOf(file, "total").filter((row) => row.get("channel") !== "");
    expect(accounts.map((cells) => cells.slice(2))).toEqual(
      totals.map((row) =>
        ["paymentAmount", "refundAmount", "received", "fees", "net"].map((name) => shown(row.get(name))),
      ),
    );
    expect(accounts.map(([account]) => account?.split(" ")[0])).toEqual(["WeChat", "Alipay"]);
    expect(await exported(page, "Export the sums")).toEqual({ name: "bill-report-2026-11.csv", text: file });
    expect(await exported(page, "Export with all lines")).toEqual({
      name: "bill-report-2026-11-lines.csv",
      text: await commandLineFile(asked, true),
    });
    await page.context().close();
  });

  it("names first what is missing, and leads to the bills", async () => {
    const page = await open("/reports?period=2026-11&channel=WALLET_A", { role: "finance" });
    await loaded(page);
    const problems = page.getByRole("region", { name: "What to resolve first" });
    await problems.getByText("Not complete").waitFor();
    await problems.getByText("The period is not over yet.").waitFor();
    const links = await problems.getByRole("link").allInnerTexts();
    expect(links.map((text) => text.replace(/^WeChat Pay \d*\w*, /, ""))).toEqual([
      "2026-11-24: no bill was read",
      "2026-11-26 to 2026-11-30: no bill was read",
    ]);
    const sums = page.locator("main .figures");
    expect((await problems.boundingBox())?.y).toBeLessThan((await sums.boundingBox())?.y ?? 0);
    await problems.getByRole("link").first().click();
    await page.getByRole("heading", { name: "Bills" }).waitFor();
    expect(await page.getByLabel("From").inputValue()).toBe("2026-11-24");
    await page.getByText("Not compared yet").first().waitFor();
    await page.context().close();
  });

  it("is complete once every bill was read and every exception is closed", async () => {
    await compareBills("2026-11-24");
    const page = await open("/reports?period=2026-11-24", { role: "viewer" });
    await loaded(page);
    await page.getByText("The sums are those of the bills of WeChat Pay and Alipay.").waitFor();
    expect(await page.getByRole("region", { name: "What to resolve first" }).count()).toBe(0);
    expect(await page.getByRole("table", { name: "By day" }).count()).toBe(0);
    await page.context().close();
  });
});

describe("the period", () => {
  it("is chosen by keys alone: the month before and after, a day, and its month", async () => {
    const page = await open("/reports?period=2026-11", { role: "finance" });
    await loaded(page);
    const period = () => new URL(page.url()).searchParams.get("period");
    await tabTo(page, "← 2026-10");
    await page.keyboard.press("Enter");
    await expect.poll(period).toBe("2026-10");
    await loaded(page);
    await tabTo(page, "2026-11 →");
    await page.keyboard.press("Enter");
    await expect.poll(period).toBe("2026-11");
    await page.getByRole("link", { name: "2026-11-23", exact: true }).waitFor();
    await page.keyboard.press("j");
    await tabTo(page, "2026-11-23");
    await page.keyboard.press("Enter");
    await expect.poll(period).toBe("2026-11-23");
    await loaded(page);
    await page.getByRole("link", { name: "Whole month 2026-11" }).click();
    await expect.poll(period).toBe("2026-11");
    await page.getByLabel("Month").fill("2026-01");
    await page.getByLabel("Month").press("Enter");
    await expect.poll(period).toBe("2026-01");
    await page.context().close();
  });

  it("that the server refuses is named beside its field", async () => {
    const page = await open("/reports?period=1999-12", { role: "finance" });
    const month = page.getByLabel("Month");
    await page.locator(".field").filter({ has: month }).locator(".field-error").waitFor();
    expect(await month.getAttribute("aria-invalid")).toBe("true");
    expect(await page.getByRole("button", { name: "Export the sums" }).isDisabled()).toBe(true);
    await page.context().close();
  });
});

it("the page links to the accounts of the sandbox if no production account matches the filters", async () => {
  const account = { payChannel: "WALLET_A", appEnv: "DEV", accountId: "sandbox-1" } as const;
  await expectOk(host().ports.payTools.put(anAccount({ ...account, id: "sandbox", appId: "app_sandbox" })));
  await keepBill(host(), { ...account, day: "2026-01-15" }, [{ appId: "app_sandbox" }]);
  const page = await open("/reports?period=2026-01-15&account=sandbox-1", { role: "finance" });
  await page.getByText("No merchant account matches these filters.").waitFor();
  await page.getByRole("link", { name: "Show the sandbox accounts" }).click();
  const row = page.getByRole("table", { name: "By channel, account and app" }).locator("tbody tr");
  await row.getByText("sandbox-1").waitFor();
  expect(await row.getByRole("cell").last().innerText()).toBe("¥5.96");
  await page.context().close();
});

it("the page shows an operator of one app the sums of this app only, and no balance of a shared account", async () => {
  const [one, other] = [await openApp(host(), "One"), await openApp(host(), "Other")];
  const account = { payChannel: "WALLET_A", appEnv: "DEV", accountId: "shared-1" } as const;
  for (const { appId } of [one, other])
    await expectOk(host().ports.payTools.put(anAccount({ ...account, id: `shared-${appId}`, appId })));
  await keepBill(host(), { ...account, day: "2026-01-16" }, [
    { appId: one.appId },
    { appId: other.appId, amount: 7_700, received: 7_700 },
    {},
  ]);
  const path = "/reports?period=2026-01-16&account=shared-1&gateway=DEV";
  const limited = await open(path, { role: "finance", apps: [one.appId] });
  await loaded(limited);
  const main = await limited.locator("main").innerText();
  expect(main).toContain("¥5.96");
  expect(main).not.toContain("¥77.00");
  expect(main).not.toContain("Opening balance");
  const { text } = await exported(limited, "Export with all lines");
  expect(rowsOf(text, "line").map((row) => row.get("app"))).toEqual([one.appId]);
  const page = await open(path, { role: "finance" });
  await loaded(page);
  const balances = page.getByRole("table", { name: "Balances by the fund-flow bills" });
  expect(await balances.locator("tbody").innerText()).toContain("¥15.96");
  const rows = page.getByRole("table", { name: "By channel, account and app" }).locator("tbody tr");
  const names = await rows.locator("td:nth-of-type(2)").allInnerTexts();
  expect(names).toEqual(expect.arrayContaining(["One", "Other"]));
  expect(await rows.last().innerText()).toContain("Total");
});

it("the page can be read in Chinese on a phone, and is printed without buttons and navigation", async () => {
  const page = await open("/reports?period=2026-11&lang=zh", {
    role: "finance",
    viewport: { width: 320, height: 640 },
    colorScheme: "dark",
  });
  await page.getByRole("heading", { name: "报表" }).waitFor();
  await page.getByRole("region", { name: "请先处理" }).getByText("不完整").waitFor();
  const day = page.getByRole("table", { name: "按账期" }).locator("tbody tr").first();
  expect(await day.innerText()).toMatch(/2026-11-23[^]*支付 ¥222\.45[^]*手续费 /);
  await page.emulateMedia({ media: "print" });
  expect(await page.getByRole("button", { name: "导出合计" }).isVisible()).toBe(false);
  expect(await page.getByRole("navigation").first().isVisible()).toBe(false);
  expect(await day.isVisible()).toBe(true);
});
