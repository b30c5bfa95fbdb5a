import { expect, it } from "vitest";
import { openApp } from "./testing/demo-shop.js";
import { testPages } from "./testing/test-page.js";

const { host, open } = testPages();

it("goes everywhere by keys", async () => {
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

it("types letters into a field instead of moving", async () => {
  const page = await open("/orders", { role: "support" });
  await page.getByRole("heading", { name: "Orders" }).waitFor();
  await page.keyboard.press("/");
  await page.keyboard.type("gt?j/");
  expect(await page.getByLabel("Search orders").inputValue()).toBe("gt?j/");
  expect(page.url()).toBe(`${host().url}/orders`);
});

it("keeps the language in the address, and the theme in the browser", async () => {
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
