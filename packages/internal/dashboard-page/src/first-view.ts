// Measures how long the first view takes on a throttled connection, without anything in the cache.
import { chromium } from "playwright-core";
import { ensurePage } from "./ensure-page.js";
import { openDemoShop } from "./testing/demo-shop.js";
import { openBrowser } from "./testing/open-browser.js";
import { openHost } from "./testing/open-host.js";
import { signIn } from "./testing/sign-in.js";

const ROUNDS = 7;
/** A connection of 4 Mbit/s with 40 ms until the first byte. */
const CONNECTION = { offline: false, latency: 40, downloadThroughput: 500_000, uploadThroughput: 375_000 };

const server = await openBrowser();
const browser = await chromium.connect(server.wsEndpoint());
const host = await openHost(await ensurePage());
await openDemoShop(host);
await host.create("han", "admin");
const signedIn = await browser.newContext();
await signIn(host, signedIn, "han");
const cookies = await signedIn.cookies();

for (const [name, path, shown, withSession] of [
  ["sign-in", "/", "Password", false],
  ["orders", "/orders", "N20261123-1024", true],
] as const) {
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const context = await browser.newContext({ locale: "en-US" });
    if (withSession) await context.addCookies(cookies);
    const page = await context.newPage();
    const devTools = await context.newCDPSession(page);
    await devTools.send("Network.enable");
    await devTools.send("Network.emulateNetworkConditions", CONNECTION);
    const begun = performance.now();
    await page.goto(`${host.url}${path}`, { waitUntil: "commit" });
    await page.getByText(shown).first().waitFor();
    times.push(performance.now() - begun);
    await context.close();
  }
  const sorted = times.toSorted((left, right) => left - right).map((time) => Math.round(time));
  process.stdout.write(
    `${name}: ${String(sorted[Math.floor(ROUNDS / 2)])} ms (${String(sorted[0])} to ${String(sorted.at(-1))})\n`,
  );
}
await browser.close();
await server.close();
await host.close();
