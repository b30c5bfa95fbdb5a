import { text } from "node:stream/consumers";
import { aSession, expectOk } from "@tillkit/contract-tests";
import { expect, it } from "vitest";
import { z } from "zod";
import { openApp } from "./testing/demo-shop.js";
import { testPages } from "./testing/test-page.js";

const { host, open } = testPages();

const NAME = "Li Lei";
const LABELS = ["Phone of Li", "Tablet of Li"] as const;

/** Stores a customer with a phone number, two sessions and a paid order with texts. */
async function aCustomer(customerIdentity: string) {
  const app = await openApp(host(), "Customers");
  const { appId } = app;
  const { ports } = host();
  const now = ports.clock.now();
  await expectOk(ports.sessions.identify(appId, [`hash-${customerIdentity}`], customerIdentity, now));
  for (const label of LABELS) {
    const times = { gmtCreate: now, expiresAt: now + 1_000_000_000 };
    await expectOk(
      ports.sessions.open(aSession({ appId, customerId: customerIdentity, label, ...times }), 5),
    );
  }
  const bizNo = `order-of-${customerIdentity}`;
  await app.pay(await app.order({ bizNo, customerIdentity, customerName: NAME, attachData: "cart 7" }));
  const path = `/customers/${appId}/${customerIdentity}`;
  const order = () => expectOk(ports.orders.find({ appId, bizNo }));
  const sessions = async () =>
    (await expectOk(ports.sessions.list(appId, customerIdentity))).map(({ label }) => label);
  const entriesOf = async (action: "customer.erase" | "customer.export") =>
    (await expectOk(ports.auditLog.search({ action, apps: [appId], limit: 5 }))).items;
  return { path, order, sessions, entriesOf };
}

it("the page exports what is stored about a customer as a file", async () => {
  const { path, entriesOf } = await aCustomer("export-1");
  const page = await open(path, { role: "admin" });
  const downloading = page.waitForEvent("download");
  await page.getByRole("button", { name: "Export data" }).click();
  const download = await downloading;
  expect(download.suggestedFilename()).toBe("customer.json");
  const exported = z
    .object({
      customerIdentities: z.array(z.string()),
      login: z.object({ sessions: z.array(z.object({ label: z.string() })) }),
      orders: z.array(z.object({ order: z.object({ customerName: z.string() }) })),
    })
    .parse(JSON.parse(await text(await download.createReadStream())));
  expect(exported.customerIdentities).toEqual(["export-1"]);
  expect(exported.login.sessions.map(({ label }) => label).toSorted()).toEqual(LABELS);
  expect(exported.orders.map(({ order }) => order.customerName)).toEqual([NAME]);
  expect(await entriesOf("customer.export")).toMatchObject([{ outcome: "done" }]);
});

it("the page ends one session of a customer, then the others", async () => {
  const { path, sessions } = await aCustomer("sessions-1");
  const page = await open(path, { role: "support" });
  const row = page.getByRole("row").filter({ hasText: LABELS[0] });
  await row.getByRole("button", { name: "End session" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Reason").fill("the phone was stolen");
  await dialog.getByRole("button", { name: "End session" }).click();
  await row.waitFor({ state: "detached" });
  expect(await sessions()).toEqual([LABELS[1]]);
  await page.getByRole("button", { name: "End all sessions" }).click();
  await dialog.getByLabel("Reason").fill("the customer asked");
  await dialog.getByRole("button", { name: "End all sessions" }).click();
  await page.getByRole("heading", { name: "Live sessions" }).waitFor({ state: "detached" });
  expect(await sessions()).toEqual([]);
});

it("the page erases a customer only after the identity has been typed", async () => {
  const { path, order, sessions, entriesOf } = await aCustomer("erase-1");
  const page = await open(path, { role: "admin" });
  await page.getByRole("button", { name: "Erase", exact: true }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByText("This cannot be undone", { exact: false }).waitFor();
  const confirm = dialog.getByRole("button", { name: "Erase", exact: true });
  await dialog.getByLabel("Reason").fill("request 42");
  for (const typed of ["", "erase", "Erase-1", "erase-12"]) {
    await dialog.getByLabel("Type erase-1 to confirm").fill(typed);
    expect(await confirm.isDisabled()).toBe(true);
  }
  expect((await order())?.customerName).toBe(NAME);
  await dialog.getByLabel("Type erase-1 to confirm").fill("erase-1");
  await confirm.click();
  await page.getByText("Erased. Orders whose texts were removed: 1. Ended sessions: 2.").waitFor();
  await page.getByText(LABELS[0]).waitFor({ state: "detached" });
  const stored = await order();
  expect(stored).toMatchObject({ paymentStatus: "PAID" });
  for (const name of ["customerName", "attachData"]) expect(stored).not.toHaveProperty(name);
  expect(await sessions()).toEqual([]);
  expect(await entriesOf("customer.erase")).toMatchObject([{ outcome: "done", reason: "request 42" }]);
});

it.each(["viewer", "support", "finance"] as const)(
  "the page offers a %s no export and no erasure",
  async (role) => {
    const { path } = await aCustomer(`rights-of-${role}`);
    const page = await open(path, { role });
    await page.getByText(LABELS[0]).waitFor();
    const names = await page.getByRole("main").getByRole("button").allInnerTexts();
    for (const name of ["Export data", "Erase", "Replace phone number", "Merge into another customer"])
      expect(names).not.toContain(name);
    expect(names.includes("End all sessions")).toBe(role !== "viewer");
  },
);
