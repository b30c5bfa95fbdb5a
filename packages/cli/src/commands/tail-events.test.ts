import { join } from "node:path";
import { PassThrough, Readable } from "node:stream";
import { systemClock } from "@tillkit/runtime";
import { expect, it } from "vitest";
import type { Io } from "../io.js";
import { run } from "../run.js";
import { emptiedHost, type Place } from "../testing/cli.js";
import { openPage, PASSWORD } from "../testing/page-host.js";
import { openShop } from "../testing/shop.js";
import { installedWallets } from "../wallets.js";

const openHost = emptiedHost();
/** A clock on which the pause between two polls is short. */
const clock = {
  now: () => systemClock.now(),
  sleep: async () => {
    await systemClock.sleep(20);
  },
};

/** Opens a shop whose orders are paid at the wallet. */
async function aShopWithPayments() {
  const shop = await openShop(openHost);
  const pay = async (bizNo: string): Promise<string> => {
    const id = await shop.order(bizNo);
    shop.wallet.pay(id);
    const sync = ["orders", "sync", "--app", shop.appId, bizNo];
    expect((await shop.tillkit(sync, { openWallets: shop.openWallets })).code).toBe(0);
    return id;
  };
  return { ...shop, pay };
}

/** Runs the command until it is stopped, and collects its lines. */
function follow({ env }: Pick<Place, "env">, argv: readonly string[], io: Partial<Io> = {}) {
  const stopping = new AbortController();
  const stdout = new PassThrough().setEncoding("utf8");
  const lines: string[] = [];
  stdout.on("data", (text: string) => lines.push(...text.trim().split("\n")));
  const ending = run(["events", "tail", ...argv], {
    stdin: Readable.from([]),
    stderr: new PassThrough(),
    env,
    clock,
    openWallets: installedWallets,
    ...io,
    stdout,
    stop: stopping.signal,
  });
  return {
    lines,
    stop: async () => {
      stopping.abort();
      return ending;
    },
  };
}

it("prints each event after its start once, and only events of one app with --app", async () => {
  const shop = await aShopWithPayments();
  const { appId, pay } = shop;
  await pay("before");
  const all = follow(shop, []);
  const other = follow(shop, ["--app", "app_other"]);
  // The test cannot see the start of the command, so it pays orders until one is printed.
  await expect
    .poll(
      async () => {
        await pay(`probe-${String(systemClock.now())}`);
        return all.lines.length;
      },
      { timeout: 60_000 },
    )
    .toBeGreaterThan(0);
  const id = await pay("later");
  await expect.poll(() => all.lines.join("\n"), { timeout: 60_000 }).toContain("  later  ");
  await systemClock.sleep(200); // several polls, which read the same events again
  expect(await all.stop()).toBe(0);
  expect(await other.stop()).toBe(0);
  expect(all.lines.find((line) => line.includes("  later  "))).toMatch(
    new RegExp(`^\\S+Z {2}order\\.paid {2}${appId} {2}later {2}${id}-2-0$`),
  );
  expect(new Set(all.lines).size).toBe(all.lines.length);
  expect(all.lines.join("\n")).not.toContain("  before  ");
  expect(other.lines).toEqual([]);
}, 180_000);

it("follows a server with --server, and continues after the server failed", async () => {
  const { tillkit, appId, pay, ports, folder } = await aShopWithPayments();
  const page = await openPage(ports, { secondFactor: "optional" });
  await page.create("vic", "viewer");
  const env = { XDG_CONFIG_HOME: join(folder, "config"), HOME: folder };
  const login = ["login", "--server", page.url, "--operator", "vic"];
  expect((await tillkit(login, { env, input: `${PASSWORD}\n` })).code).toBe(0);
  const stderr = new PassThrough().setEncoding("utf8");
  let notes = "";
  stderr.on("data", (text: string) => (notes += text));
  const following = follow({ env }, ["--server", page.url, "--json"], { stderr });
  const polls = () => page.seen.filter(({ path }) => path.includes("/api/events?")).length;
  await expect.poll(polls, { timeout: 60_000 }).toBeGreaterThan(2);
  page.faults.fault = ({ path }) => (path.includes("/api/events?") ? "lose-answer" : undefined);
  await expect.poll(() => notes, { timeout: 60_000 }).toContain("Trying again every 2 s.");
  const id = await pay("meanwhile");
  page.faults.fault = () => undefined;
  await expect.poll(() => following.lines.length, { timeout: 60_000 }).toBe(1);
  expect(await following.stop()).toBe(0);
  expect(JSON.parse(following.lines[0] ?? "")).toMatchObject({
    id: `${id}-2-0`,
    type: "order.paid",
    appId,
    bizNo: "meanwhile",
    cause: "PAID",
  });
  expect(notes.match(/Trying again/g)).toHaveLength(1);
}, 180_000);

it("ends with the failure if the server refuses", async () => {
  const { tillkit, folder, ports } = await aShopWithPayments();
  const page = await openPage(ports);
  const env = { XDG_CONFIG_HOME: join(folder, "config"), HOME: folder };
  const ran = await tillkit(["events", "tail", "--server", page.url, "--json"], { env, clock });
  expect(ran).toMatchObject({ code: 1, json: { error: { name: "session.missing" } } });
});
