import { copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createDatabase } from "@tillkit/local-postgres";
import pg from "pg";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, it } from "vitest";
import { type DevHost, startDevHost } from "../../../cli/src/dev/start-dev-host.js";
import { callerOf } from "./testing/caller.js";
import { type FirstStart, firstStart } from "./testing/first-start.js";
import { at, textAt } from "./testing/json.js";

const DAY = 86_400_000;

let parent: string;
let databaseUrl: string;
const hosts: DevHost[] = [];
beforeEach(async () => {
  parent = await mkdtemp(join(tmpdir(), "restart-"));
});
afterEach(async () => {
  await Promise.all(hosts.splice(0).map((host) => host.close()));
  await rm(parent, { recursive: true });
});

/** Starts a host with its files in the folder `name`. */
async function start(name = "data"): Promise<DevHost> {
  const host = await startDevHost({
    port: 0,
    dataDir: join(parent, name),
    databaseUrl,
    print: () => undefined,
  });
  hosts.push(host);
  return host;
}

/** Starts a host with a new folder `name` and the simulators of the folder `data`. */
async function startNew(name: string): Promise<DevHost> {
  const folder = join(parent, name);
  await mkdir(folder, { recursive: true });
  // Generating the keys of the simulators takes longer than the rest of the start.
  await copyFile(join(parent, "data", "sandbox.jsonl"), join(folder, "sandbox.jsonl"));
  return start(name);
}

async function stopAll(): Promise<void> {
  await Promise.all(hosts.splice(0).map((host) => host.close()));
}

/** Returns what a host has created, without its addresses: their port changes at each start. */
const seededOf = ({ facts }: DevHost) => {
  const { baseUrl: _base, metricsBaseUrl: _metrics, sandbox: _sandbox, dashboard, ...seeded } = facts;
  return { ...seeded, operators: { ...dashboard, url: undefined } };
};

let prepared: FirstStart;
beforeAll(async () => {
  prepared = await firstStart(inject("databaseUrl"));
});
afterAll(() => prepared.clean());

describe("a restarted host", { tags: "slow" }, () => {
  beforeEach(async () => {
    databaseUrl = await prepared.copyTo(join(parent, "data"));
  });

  it("keeps its ids, secrets, orders, messages and clock", async () => {
    const first = await start();
    const before = callerOf(first.facts);
    await before.order({ bizNo: "one", payChannel: "WALLET_A" });
    const outTradeNo = textAt(await before.detail("one"), "data", "id");
    await before.control("clock", { advanceMs: 60_000 });
    await stopAll();
    const second = await start();
    expect(seededOf(second)).toEqual(seededOf(first));
    expect(second.ports.clock.now()).toBeGreaterThan(Date.now() + 59_000);
    const caller = callerOf(second.facts);
    expect(await caller.order({ bizNo: "one", payChannel: "WALLET_A" })).toMatchObject({ code: 0 });
    // The order has the port of the first start, but its notification still arrives.
    expect(await caller.control("pay", { outTradeNo })).toEqual({
      outTradeNo,
      state: "PAID",
      notified: true,
    });
    expect(at(await caller.detail("one"), "data", "paymentStatus")).toBe("PAID");
    expect(await caller.control(`orders/${outTradeNo}`)).toMatchObject({ prepayCount: 1 });
  });

  it("creates new secrets for its apps if host.json is lost, and keeps their data", async () => {
    const first = await start();
    await callerOf(first.facts).order({ bizNo: "one" });
    await stopAll();
    await rm(join(parent, "data", "host.json"));
    const second = await start();
    const { appId, appSecret, secondAppSecret, deviceAppSecret } = second.facts;
    expect(appId).toBe(first.facts.appId);
    const renewed = [appSecret, secondAppSecret, deviceAppSecret];
    const old = [first.facts.appSecret, first.facts.secondAppSecret, first.facts.deviceAppSecret];
    expect(new Set([...renewed, ...old]).size).toBe(6);
    expect(await callerOf(second.facts).detail("one")).toMatchObject({ code: 0 });
    expect(await callerOf(second.facts, appId, first.facts.appSecret).detail("one")).toMatchObject({
      code: 0,
    });
  });

  it("has counts for every day if it restarts ten days later, and keeps the earlier counts", async () => {
    const first = await start();
    const { appId } = first.facts;
    const now = Date.now() + 8 * 3_600_000;
    const today = new Date(now).toISOString().slice(0, 10);
    const own = { appId, store: "store_01", date: today, newDownloads: 7, updateDownloads: 8 };
    await first.ports.downloads.upsert([[own]]);
    // Moves the clock to noon of the tenth day, so that the day does not change during the test.
    await callerOf(first.facts).control("clock", { advanceMs: 10 * DAY + DAY / 2 - (now % DAY) });
    await stopAll();
    const { ports } = await start();
    const [ofStore] = (await ports.downloads.read(appId, today, "2100-01-01")).unwrapOr([]);
    const { store, days = [], newDownloads, updateDownloads } = ofStore ?? {};
    expect([store, days.toSorted((left, right) => left - right)]).toEqual([
      own.store,
      Array.from({ length: 11 }, (_, day) => day),
    ]);
    const place = days.indexOf(0);
    expect([newDownloads?.[place], updateDownloads?.[place]]).toEqual([
      own.newDownloads,
      own.updateDownloads,
    ]);
  });

  it("rejects data that was created with other keys, and missing keys", async () => {
    await expect(start("other")).rejects.toThrow(
      /keys\.json is missing, and the data at .* needs its keys\. Restore/,
    );
    const mine = join(parent, "data", "keys.json");
    await copyFile(mine, join(parent, "copy"));
    databaseUrl = await createDatabase(inject("databaseUrl"));
    await startNew("third");
    await stopAll();
    await copyFile(mine, join(parent, "third", "keys.json"));
    await expect(start("third")).rejects.toThrow(
      /^The data at .* needs other keys than those in .*keys\.json\. Restore/,
    );
  });

  it("rejects the damaged keys file of existing data, describes the remedy, and keeps the file", async () => {
    const file = join(parent, "data", "keys.json");
    const cut = (await readFile(file, "utf8")).slice(0, 40);
    await writeFile(file, cut);
    await expect(start()).rejects.toThrow(
      /keys\.json is not valid: the text is not JSON \(line \d+, column \d+\)\. Correct it, or restore it from a copy\. The data at .* needs its keys\. Restore the key file/,
    );
    expect(await readFile(file, "utf8")).toBe(cut);
  });

  it("rejects a schema with a newer breaking migration", async () => {
    const client = new pg.Client({ connectionString: databaseUrl });
    await client.connect();
    await client.query(
      "insert into tillkit.schema_migrations (version, name, checksum, breaking) values (9999, '9999-later', 'x', true)",
    );
    await client.end();
    await expect(start()).rejects.toThrow(
      /^The schema "tillkit" has the breaking migration 9999-later, .*upgrade the package\.$/,
    );
  });
});

describe("a host whose first start died", { tags: "slow" }, () => {
  it.each([0, 1, 40, 120])(
    "replaces a keys file of which the first start wrote %d bytes before it died",
    async (bytes) => {
      databaseUrl = await createDatabase(inject("databaseUrl"));
      await prepared.copyFilesTo(join(parent, "data"));
      const folder = join(parent, "cut");
      await mkdir(folder);
      const whole = await readFile(join(parent, "data", "keys.json"), "utf8");
      await writeFile(join(folder, "keys.json"), whole.slice(0, bytes), { mode: 0o600 });
      const host = await startNew("cut");
      expect(await callerOf(host.facts).order({ bizNo: "one" })).toMatchObject({ code: 0 });
    },
  );
});

describe("ten hosts that start concurrently on an empty database", { tags: "slow", timeout: 300_000 }, () => {
  it("let one host serve, and the others report that their keys do not match", async () => {
    databaseUrl = await createDatabase(inject("databaseUrl"));
    const starts = await Promise.allSettled(Array.from({ length: 10 }, (_, nth) => start(`data-${nth}`)));
    const refused = starts.flatMap((one) => (one.status === "rejected" ? [String(one.reason)] : []));
    expect(refused).toHaveLength(9);
    for (const reason of refused) expect(reason).toMatch(/keys\.json is missing, and the data at/);
    const [host] = hosts;
    if (host === undefined) throw new Error("No host serves.");
    expect(await callerOf(host.facts).order({ bizNo: "one" })).toMatchObject({ code: 0 });
  });
});
