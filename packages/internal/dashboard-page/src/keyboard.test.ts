import { orThrow } from "@tillkit/core";
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { openApp } from "./testing/demo-shop.js";
import { testPages } from "./testing/test-page.js";

const { host, open } = testPages();

it("an operator reaches every view by keys", async () => {
  const app = await openApp(host(), "Keys");
  await app.order({ bizNo: "key-1" });
  host().ports.clock.advance(1_000);
  await app.order({ bizNo: "key-2" });
  const page = await open("/account", { role: "support" });
  await page.getByRole("heading", { name: "Your account" }).waitFor();
  await page.keyboard.press("g");
  await page.keyboard.press("t");
  await page.getByRole("heading", { name: "Today" }).waitFor();
  await page.keyboard.press("g");
  await page.keyboard.press("o");
  await page.getByRole("link", { name: "key-2" }).waitFor();
  const focused = () => page.evaluate("document.activeElement?.textContent");
  await page.keyboard.press("j");
  await expect.poll(focused).toBe("key-2");
  await page.keyboard.press("j");
  await expect.poll(focused).toBe("key-1");
  await page.keyboard.press("k");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: /key-2/ }).waitFor();
  await page.keyboard.press("?");
  const dialog = page.getByRole("dialog", { name: "Keyboard" });
  await dialog.waitFor();
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "detached" });
  const searched = async () => {
    // Again, because a closed dialog returns the focus a frame later.
    await page.keyboard.press("/");
    return page.evaluate("document.activeElement?.id");
  };
  await expect.poll(searched).toBe("search-box");
});

it("letters that are typed into a field open no view", async () => {
  const page = await open("/orders", { role: "support" });
  await page.getByRole("heading", { name: "Orders" }).waitFor();
  await page.keyboard.press("/");
  await page.keyboard.type("gt?j/");
  expect(await page.getByLabel("Search orders and refunds").inputValue()).toBe("gt?j/");
  expect(page.url()).toBe(`${host().url}/orders`);
});

it("the page keeps the language in the address, and the theme in the browser", async () => {
  const page = await open("/orders", { role: "support", colorScheme: "light" });
  await page.getByLabel("Language").selectOption("简体中文");
  await page.getByRole("heading", { name: "订单" }).waitFor();
  expect(page.url()).toBe(`${host().url}/orders?lang=zh`);
  await page.getByRole("link", { name: "对账" }).click();
  await page.getByRole("heading", { name: "对账" }).waitFor();
  expect(new URL(page.url()).searchParams.get("lang")).toBe("zh");
  await page.getByLabel("主题").selectOption("深色");
  const background = () => page.evaluate("getComputedStyle(document.documentElement).backgroundColor");
  await expect.poll(background).not.toBe("rgb(255, 255, 255)");
  const dark = await background();
  await page.reload();
  await expect.poll(background).toBe(dark);
});

describe("single keys", () => {
  it("can be switched off, and stay off in this browser", async () => {
    const page = await open("/account", { role: "support" });
    await page.getByRole("heading", { name: "Your account" }).waitFor();
    await page.keyboard.press("?");
    await page.getByRole("dialog").getByLabel("Single keys work on this device").uncheck();
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await page.reload();
    await page.getByRole("heading", { name: "Your account" }).waitFor();
    for (const key of ["?", "/", "j", "g", "t"]) await page.keyboard.press(key);
    expect(await page.getByRole("dialog").count()).toBe(0);
    expect(await page.evaluate("document.activeElement?.id")).not.toBe("search-box");
    expect(page.url()).toBe(`${host().url}/account`);
    await page.getByLabel("Single keys work on this device").check();
    await page.getByRole("heading", { name: "Your account" }).click();
    await page.keyboard.press("?");
    await page.getByRole("dialog", { name: "Keyboard" }).waitFor();
  });
});

describe("the focus moves to the place where the operator continues", () => {
  const focused = (page: Page) => page.evaluate("document.activeElement?.textContent");

  it("to the heading after navigation, also if it appears later", async () => {
    const app = await openApp(host(), "Focus");
    await app.order({ bizNo: "focus-1" });
    const page = await open("/orders", { role: "support" });
    await page.getByRole("link", { name: "focus-1" }).click();
    await expect.poll(() => focused(page)).toContain("focus-1");
    await page.getByRole("link", { name: "Bills" }).click();
    await expect.poll(() => focused(page)).toBe("Bills");
    await page.goBack();
    await expect.poll(() => focused(page)).toContain("focus-1");
  });

  it("to the heading after a refund that leaves nothing to refund", async () => {
    const app = await openApp(host(), "Focus");
    await app.pay(await app.order({ bizNo: "focus-2", amount: 600 }));
    const page = await open(`/orders/${app.appId}/focus-2`, { role: "finance" });
    await page.getByRole("button", { name: "Refund…" }).click();
    await page.getByRole("button", { name: "Check" }).click();
    await page.getByLabel("Reason").fill("broken on arrival");
    await page.getByLabel("Type 6.00 to confirm").fill("6.00");
    await page.getByRole("button", { name: "Refund now" }).click();
    await page.getByText("¥6.00 is refunded.").waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await expect.poll(() => focused(page)).toContain("focus-2");
  });
});

it("an operator refunds a part by keys alone", async () => {
  const app = await openApp(host(), "By keys");
  await app.pay(await app.order({ bizNo: "keys-only", amount: 600 }));
  const page = await open("/orders", { role: "finance" });
  // As long as a person holds a key: the answer may arrive before the end.
  const pressEnter = () => page.keyboard.press("Enter", { delay: 20 });
  await page.getByRole("heading", { name: "Orders" }).waitFor();
  await page.keyboard.press("/");
  await page.keyboard.type("keys-only");
  await pressEnter();
  const button = page.getByRole("button", { name: "Refund…" });
  await button.waitFor();
  const isFocused = (name: string) =>
    page.getByRole("dialog").getByLabel(name).and(page.locator(":focus")).waitFor();
  // The copy button, Sync, and the refund.
  for (let nth = 0; nth < 3; nth += 1) await page.keyboard.press("Tab");
  await button.and(page.locator(":focus")).waitFor();
  await pressEnter();
  await isFocused("Amount in yuan");
  await page.keyboard.press("Control+A");
  await page.keyboard.type("2");
  await pressEnter();
  await isFocused("Reason");
  await page.keyboard.type("one of three returned");
  await page.keyboard.press("Tab");
  await isFocused("Type 2.00 to confirm");
  await page.keyboard.type("2.00");
  await pressEnter();
  await page.getByText("¥2.00 is refunded.").waitFor();
  await page.keyboard.press("Escape");
  await button.and(page.locator(":focus")).waitFor();
});

describe("a dialog", () => {
  it.each([
    ["apps", "New app", "Name"],
    ["service-types", "New service type", "Name"],
    ["clients", "New client", "App"],
    ["operators", "New operator", "Name"],
    ["apps", "New secret", "The previous secret works for"],
    ["apps", "Identity rules", "Customers have accounts"],
    ["apps", "Disable", "Reason"],
  ])("of %s begins at its first field: %s", async (tab, button, field) => {
    await openApp(host(), "First field");
    const page = await open(`/setup?tab=${tab}`, { role: "admin" });
    await page.getByRole("button", { name: button }).first().click();
    const first = page.getByRole("dialog").getByLabel(field, { exact: true });
    await first.and(page.locator(":focus")).waitFor();
  });
});

describe("Escape and Cancel", () => {
  it("close every step of a refund, and keep the focus on its button", async () => {
    const app = await openApp(host(), "Escape");
    await app.pay(await app.order({ bizNo: "escape-1", amount: 600 }));
    const page = await open(`/orders/${app.appId}/escape-1`, { role: "finance" });
    const isConfirmed = async (isSecond: boolean) => {
      await page.getByRole("button", { name: "Refund…" }).click();
      if (isSecond) {
        await page.getByRole("button", { name: "Check" }).click();
        await page.getByLabel("Type 6.00 to confirm").waitFor();
      }
    };
    for (const isSecond of [false, true]) {
      for (const close of [
        () => page.keyboard.press("Escape"),
        () => page.getByRole("button", { name: "Cancel" }).click(),
      ]) {
        await isConfirmed(isSecond);
        await close();
        await page.getByRole("dialog").waitFor({ state: "detached" });
        await expect.poll(() => page.evaluate("document.activeElement?.textContent")).toBe("Refund…");
      }
    }
    const refunds = await host().ports.refunds.list({ appId: app.appId, bizNo: "escape-1" });
    expect(orThrow(refunds)).toEqual([]);
  });

  it("leave a dialog open while its change is being sent, and say why", async () => {
    const app = await openApp(host(), "Busy");
    const page = await open("/setup?tab=apps", { role: "admin" });
    let answer: (() => void) | undefined;
    await page.route("**/disable", async (route) => {
      await new Promise<void>((done) => {
        answer = done;
      });
      await route.continue();
    });
    await page.getByRole("row", { name: app.appId }).getByRole("button", { name: "Disable" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Reason").fill("not used any more");
    await dialog.getByRole("button", { name: "Disable" }).click();
    await expect.poll(() => answer).toBeDefined();
    await page.keyboard.press("Escape");
    await dialog.getByText("The change has been sent.").waitFor();
    answer?.();
    await dialog.waitFor({ state: "detached" });
    await page.getByRole("row", { name: app.appId }).getByText("Disabled").waitFor();
  });
});
