import { expectOk } from "@tillkit/contract-tests";
import { createDownloadsClient, createServiceType } from "@tillkit/core";
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { openApp } from "./testing/demo-shop.js";
import { testPages } from "./testing/test-page.js";

const { host, open } = testPages();
/** The answer of the payments endpoints. */
const answered = z.object({ code: z.number() });

/** Gives the reason in the open dialog, and confirms it. */
async function confirm(page: Page, action: string): Promise<void> {
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Reason").fill("asked by the team");
  await dialog.getByRole("button", { name: action, exact: true }).click();
}

describe("an app", () => {
  it.each([
    ["0 hours: revoke it now", false],
    ["24 more hours", true],
  ])("gets a new secret while the previous one works for %s", async (choice, works) => {
    const app = await openApp(host(), "Rotated");
    await app.order({ bizNo: "rotated-1" });
    const page = await open("/setup?tab=apps", { role: "admin" });
    const row = page.getByRole("row", { name: app.appId });
    await row.getByRole("button", { name: "New secret" }).click();
    await page.getByLabel("The previous secret works for").selectOption(choice);
    await confirm(page, "Create");
    await page.getByText("It is not shown again").waitFor();
    // Escape does not lose the secret by accident: it asks first.
    await page.getByRole("button", { name: "I have stored it" }).focus();
    await page.keyboard.press("Escape");
    await page.getByText("Press Escape again").waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    // Apps are cached for a second.
    host().ports.clock.advance(2_000);
    const answer = await fetch(`${host().payUrl}/detail.json?bizNo=rotated-1&customerIdentity=user-1`, {
      headers: { APP_ID: app.appId, APP_SECRET: app.appSecret },
    });
    expect(answered.parse(await answer.json()).code === 0).toBe(works);
  });

  it("is created with or without accounts of customers", async () => {
    const page = await open("/setup?tab=apps", { role: "admin" });
    await page.getByRole("button", { name: "New app" }).click();
    await page.getByLabel("Name").fill("Without accounts");
    await page.getByLabel("Customers have accounts").uncheck();
    await confirm(page, "Create");
    await page.getByText("It is not shown again").waitFor();
    const apps = await expectOk(host().ports.apps.list());
    const created = apps.find(({ name }) => name === "Without accounts");
    expect(created?.accountBased).toBe(false);
    // The requests of the app need both.
    await page
      .getByRole("dialog")
      .getByText(created?.appId ?? "none")
      .waitFor();
  });
});

describe("an id that exists", () => {
  it("of a service type is named in its dialog, which keeps what was typed", async () => {
    const { appId } = await openApp(host(), "Existing type");
    const type = { serviceTypeNo: "svt_month", serviceName: "Month", durationMs: 2_592_000_000 };
    await expectOk(createServiceType(host().ports, appId, type));
    const page = await open(`/setup?tab=service-types&app=${appId}`, { role: "admin" });
    await page.getByRole("button", { name: "New service type" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Name").fill("Year");
    await dialog.getByLabel("Number").fill("svt_month");
    await confirm(page, "Create");
    await dialog.getByRole("alert").getByText("exists already").waitFor();
    expect(await dialog.getByLabel("Name").inputValue()).toBe("Year");
    expect(await expectOk(host().ports.serviceTypes.list(appId))).toMatchObject([type]);
    await dialog.getByLabel("Number").fill("svt_year");
    await dialog.getByRole("button", { name: "Create", exact: true }).click();
    await dialog.waitFor({ state: "detached" });
    await page.getByRole("cell", { name: "svt_year" }).waitFor();
  });

  it("of an operator is named in its dialog, however it is spelled", async () => {
    await host().create("zhou", "viewer");
    const page = await open("/setup?tab=operators", { role: "admin" });
    await page.getByRole("button", { name: "New operator" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Name").fill("Zhou");
    await confirm(page, "Create");
    await dialog.getByRole("alert").getByText("already exists").waitFor();
    expect((await expectOk(host().ports.operators.find("zhou")))?.role).toBe("viewer");
  });
});

describe("a secret whose answer was lost", () => {
  /** Cuts the first answer. The browser gets the answer to the repetition, as if it had sent it. */
  const cutFirst = (page: Page, address: RegExp) =>
    page.route(
      address,
      async (route) => {
        if (route.request().method() === "POST") await route.fetch({ maxRetries: 2 });
        await route.continue();
      },
      { times: 1 },
    );

  it("of a new app cannot be shown: the page says so, and offers a new secret", async () => {
    const page = await open("/setup?tab=apps", { role: "admin" });
    await page.getByRole("button", { name: "New app" }).click();
    await page.getByLabel("Name").fill("Without answer");
    await cutFirst(page, /\/api\/setup\/apps$/);
    await confirm(page, "Create");
    const dialog = page.getByRole("dialog");
    await dialog.getByText("its secret could not be shown").waitFor();
    await dialog.getByRole("button", { name: "New secret" }).click();
    await page.getByLabel("Reason").fill("the answer was lost");
    await page.getByRole("dialog").last().getByRole("button", { name: "Create" }).click();
    await page.getByText("It is not shown again").waitFor();
    await page.getByRole("button", { name: "I have stored it" }).click();
    await page.getByRole("dialog").waitFor({ state: "detached" });
    const apps = await expectOk(host().ports.apps.list());
    expect(apps.filter(({ name }) => name === "Without answer")).toHaveLength(1);
  });

  it("of an app that gets a new secret cannot be shown: the page says so, in Chinese too", async () => {
    const { appId } = await openApp(host(), "Cut");
    const page = await open("/setup?tab=apps&lang=zh", { role: "admin" });
    await page.getByRole("row", { name: appId }).getByRole("button", { name: "更换密钥" }).click();
    await cutFirst(page, /\/rotate$/);
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("原因").fill("测试");
    await dialog.getByRole("button", { name: "创建" }).click();
    await dialog.getByText("首次应答丢失").waitFor();
    await dialog.getByRole("button", { name: "更换密钥" }).waitFor();
  });

  it("of an operator cannot be shown: the page says so, and offers a new password", async () => {
    const page = await open("/setup?tab=operators", { role: "admin" });
    await page.getByRole("button", { name: "New operator" }).click();
    await page.getByRole("dialog").getByLabel("Name").fill("sun");
    await cutFirst(page, /\/api\/operators$/);
    await confirm(page, "Create");
    const dialog = page.getByRole("dialog");
    await dialog.getByText("its secret could not be shown").waitFor();
    await cutFirst(page, /\/reset$/);
    await dialog.getByRole("button", { name: "Reset" }).click();
    await page.getByLabel("Reason").fill("the answer was lost");
    await page.getByRole("dialog").last().getByRole("button", { name: "Reset", exact: true }).click();
    // The answer to the reset is lost, too.
    await page.getByRole("dialog").last().getByText("its secret could not be shown").waitFor();
    await page.getByRole("dialog").last().getByRole("button", { name: "Reset" }).waitFor();
  });

  it("can be replaced by a new secret through a link if only the server knows that it was created", async () => {
    const { appId } = await openApp(host(), "Dropped");
    const page = await open("/setup?tab=apps", { role: "admin" });
    await page.getByRole("row", { name: appId }).getByRole("button", { name: "New secret" }).click();
    host().faults.failsAnswersOf = /\/rotate$/;
    await confirm(page, "Create");
    const dialog = page.getByRole("dialog");
    await dialog.getByText("The secret or password was only in the lost answer.").waitFor();
    host().faults.failsAnswersOf = undefined;
    await dialog.getByRole("link", { name: "Make a new secret" }).waitFor();
  });
});

describe("an operator", () => {
  it("gets apps that are chosen by their names", async () => {
    const one = await openApp(host(), "Chosen app");
    await openApp(host(), "Other app");
    const page = await open("/setup?tab=operators", { role: "admin" });
    await page.getByRole("button", { name: "New operator" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Name").fill("qian");
    await dialog.getByLabel("Apps", { exact: true }).selectOption("Some apps");
    // Nothing is sent while no app is chosen.
    await confirm(page, "Create");
    await dialog.getByLabel("Chosen app").check();
    await dialog.getByRole("button", { name: "Create" }).click();
    await page.getByText("It is not shown again").waitFor();
    expect((await expectOk(host().ports.operators.find("qian")))?.apps).toEqual([one.appId]);
    await page.getByRole("button", { name: "I have stored it" }).click();
    await page.getByRole("row", { name: /qian/ }).getByText("Chosen app").waitFor();
  });
});

describe("a downloads client", () => {
  it("gets another limit, and the audit log keeps the previous one", async () => {
    const { appId } = await openApp(host(), "Reports");
    await expectOk(
      createDownloadsClient(host().ports, { appId, dailyLimit: 10, clientId: "report-of-downloads-9" }),
    );
    const page = await open("/setup?tab=clients", { role: "admin" });
    await page
      .getByRole("row", { name: /report-of-downloads-9/ })
      .getByRole("button", { name: "Change limit" })
      .click();
    await page.getByRole("dialog").getByLabel("Requests a day").fill("0");
    await confirm(page, "Change limit");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    const found = await expectOk(host().ports.downloadsClients.find("report-of-downloads-9"));
    expect(found?.dailyLimit).toBe(0);
    const { items } = await expectOk(
      host().ports.auditLog.search({ action: "downloads-client.limit", limit: 1 }),
    );
    expect(items[0]).toMatchObject({
      action: "downloads-client.limit",
      subject: "downloads-client:report-of-downloads-9",
      detail: JSON.stringify({ dailyLimit: 0, before: { dailyLimit: 10 } }),
    });
  });
});

describe("a pay tool", () => {
  it("gets a new key, keeps the others, and shows no value", async () => {
    const { appId } = await openApp(host(), "Rotating shop");
    const found = await expectOk(host().ports.payTools.current(appId, "WALLET_A"));
    if (found === undefined) throw new Error("the app has no pay tool");
    const credentials = { privateKey: "old s3cret", apiKey: "kept s3cret" };
    await expectOk(host().ports.payTools.put({ ...found, credentials }));
    const page = await open("/setup?tab=pay-tools", { role: "admin" });
    const row = page.getByRole("row", { name: "Rotating shop" }).filter({ hasText: "WeChat Pay" });
    await row.getByRole("button", { name: "Change keys" }).click();
    const dialog = page.getByRole("dialog");
    expect(await dialog.getByLabel("privateKey", { exact: true }).inputValue()).toBe("");
    expect(await dialog.getByText("Set.", { exact: true }).count()).toBe(2);
    // The keys are refused, and the dialog keeps what was typed.
    await dialog.getByLabel("problem", { exact: true }).fill("privateKey is too short");
    await dialog.getByLabel("privateKey", { exact: true }).fill("new s3cret");
    await confirm(page, "Change keys");
    await dialog.getByRole("alert").getByText("privateKey is too short").waitFor();
    await dialog.getByLabel("problem", { exact: true }).fill("");
    await dialog.getByRole("button", { name: "Change keys" }).click();
    await dialog.waitFor({ state: "detached" });
    const stored = await expectOk(host().ports.payTools.find(found.id));
    expect(stored?.credentials).toEqual({ privateKey: "new s3cret", apiKey: "kept s3cret" });
    // A dialog that opens again is empty.
    await row.getByRole("button", { name: "Change keys" }).click();
    expect(await dialog.getByLabel("privateKey", { exact: true }).inputValue()).toBe("");
    expect(await page.content()).not.toContain("s3cret");
    const { origins } = await page.context().storageState();
    expect(JSON.stringify(origins)).not.toContain("s3cret");
    expect(await page.evaluate("JSON.stringify({ ...sessionStorage })")).not.toContain("s3cret");
  });

  it("begins a form with what another operator has stored meanwhile", async () => {
    const { appId } = await openApp(host(), "Rules");
    const page = await open("/setup?tab=apps", { role: "admin" });
    const row = page.getByRole("row", { name: appId });
    await row.getByRole("button", { name: "Identity rules" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Refuse e-mail addresses as identities").uncheck();
    await dialog.getByRole("button", { name: "Cancel" }).click();
    await row.getByRole("button", { name: "Identity rules" }).click();
    expect(await dialog.getByLabel("Refuse e-mail addresses as identities").isChecked()).toBe(true);
  });
});
