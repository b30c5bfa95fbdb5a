import { type Browser, chromium, type Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { type Host, openHost, PASSWORD } from "./testing/open-host.js";
import { codeOf, signIn } from "./testing/sign-in.js";

let browser: Browser;
let host: Host;
beforeAll(async () => {
  browser = await chromium.connect(inject("browserEndpoint"));
  host = await openHost(inject("pageFolder"));
});
afterAll(async () => {
  await browser.close();
  await host.close();
});

async function openPage(path = ""): Promise<Page> {
  const page = await browser.newPage({ locale: "en" });
  await page.goto(`${host.url}${path}`);
  return page;
}

async function enterPassword(page: Page, name: string, password = PASSWORD): Promise<void> {
  await page.getByLabel("Name", { exact: true }).fill(name);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Sign in" }).click();
}

async function enterCode(page: Page, code: string): Promise<void> {
  await page.getByLabel("Code of 6 digits").fill(code);
  await page.getByRole("button", { name: "Continue" }).click();
}

describe("signing in", () => {
  it("sets up a second factor with a QR code, and then opens the page of the address", async () => {
    await host.create("li", "support");
    const page = await openPage("/account");
    await enterPassword(page, "li");
    await page.getByRole("img", { name: /QR code/ }).waitFor();
    const key = await page.locator(".secret .mono").textContent();
    await enterCode(page, codeOf(key ?? "", host.ports.clock.now()));
    await page.getByRole("heading", { name: "Your account" }).waitFor();
    expect(page.url()).toBe(`${host.url}/account`);
    const cookies = await page.context().cookies();
    expect(cookies.filter(({ name }) => name === "tillkit-operator")).toMatchObject([
      { httpOnly: true, sameSite: "Strict", path: "/dashboard" },
    ]);
    await expect.poll(() => page.evaluate("document.activeElement?.textContent")).toBe("Your account");
    await page.close();
  });

  it("asks for a code the next time, and refuses a wrong one", async () => {
    await host.create("wang", "support");
    const context = await browser.newContext({ locale: "en" });
    const key = await signIn(host, context, "wang");
    await context.clearCookies();
    host.ports.clock.advance(60_000);
    const page = await context.newPage();
    await page.goto(host.url);
    await enterPassword(page, "wang");
    await enterCode(page, "000000");
    await page.getByRole("alert").getByText("Name, password or code is wrong").waitFor();
    await enterCode(page, codeOf(key, host.ports.clock.now()));
    await page.getByRole("heading", { name: "Orders" }).waitFor();
    // The search box has the focus, because most operators search for a number next.
    await expect.poll(() => page.evaluate("document.activeElement?.id")).toBe("search-box");
    await page.goto(`${host.url}/account`);
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.getByRole("heading", { name: "Sign in" }).waitFor();
    await context.close();
  });

  it("refuses a wrong password, and limits the attempts", async () => {
    await host.create("zhao", "viewer");
    const page = await openPage();
    for (let nth = 0; nth < 10; nth += 1) {
      await enterPassword(page, "zhao", `wrong ${String(nth)}`);
      await page.getByRole("alert").getByText("Name, password or code is wrong").waitFor();
    }
    await enterPassword(page, "zhao");
    await page.getByRole("alert").getByText("Too many wrong attempts").waitFor();
    await page.close();
  });
});

it("an operator sets up, replaces and removes the second factor on the account page, with the password", async () => {
  const optional = await openHost(inject("pageFolder"), { secondFactor: "optional" });
  await optional.create("sun", "support");
  const context = await browser.newContext({ locale: "en" });
  const page = await context.newPage();
  await page.goto(`${optional.url}/account`);
  await enterPassword(page, "sun");
  /** Opens a form of the account page and enters the password. */
  const prove = async (action: RegExp, password: string) => {
    await page.getByRole("button", { name: action }).first().click();
    await page.getByLabel("Password", { exact: true }).fill(password);
    await page.getByRole("button", { name: /Continue|Remove/ }).click();
  };
  await prove(/Set up/, "wrong password");
  await page.getByRole("alert").getByText("Name, password or code is wrong").waitFor();
  await page.getByRole("button", { name: "Cancel" }).click();
  for (const action of [/Set up/, /Replace/]) {
    await prove(action, PASSWORD);
    await page.getByRole("img", { name: /QR code/ }).waitFor();
    const key = (await page.locator(".secret .mono").textContent()) ?? "";
    await enterCode(page, codeOf(key, optional.ports.clock.now()));
    await page.getByText("Your second factor is set up.").waitFor();
    await page.getByRole("button", { name: "Sign out" }).click();
    await enterPassword(page, "sun");
    optional.ports.clock.advance(60_000);
    await enterCode(page, codeOf(key, optional.ports.clock.now()));
    await page.getByRole("heading", { name: "Your account" }).waitFor();
  }
  await prove(/Remove/, PASSWORD);
  await page.getByText("Your second factor is removed.").waitFor();
  await page.getByRole("button", { name: "Sign out" }).click();
  await enterPassword(page, "sun");
  await page.getByRole("button", { name: "Set up the second factor" }).waitFor();
  await context.close();
  await optional.close();
});
