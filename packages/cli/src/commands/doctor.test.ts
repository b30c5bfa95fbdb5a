import { randomBytes } from "node:crypto";
import { anAlarm, anOrder, expectOk } from "@tillkit/contract-tests";
import { MIGRATIONS, postgresStores } from "@tillkit/postgres";
import { systemClock } from "@tillkit/runtime";
import { err } from "neverthrow";
import { describe, expect, it, onTestFinished } from "vitest";
import { z } from "zod";
import { failure } from "../failure.js";
import { openHost, openPlace, type Place, sharedHost, useDurableServer } from "../testing/cli.js";
import { newApp, TOOL, wallets } from "../testing/fixture.js";

const examined = z.object({
  findings: z.array(
    z.object({ kind: z.string(), subject: z.string(), message: z.string(), fix: z.string() }),
  ),
  skipped: z.array(z.string()),
});

/** Returns the findings of the doctor and asserts its exit code. */
async function findings(
  { ask }: Place,
  argv: readonly string[],
  code: number,
  io: Parameters<Place["ask"]>[1] = {},
) {
  const found = examined.parse(
    await ask(["doctor", ...argv], { openWallets: wallets, ...io, code }),
  ).findings;
  return found.map(({ kind, subject }) => `${kind} ${subject}`);
}

/** Creates a role without any right and removes it after the test. */
async function newRole({ sql }: Place): Promise<string> {
  const role = `host_${randomBytes(6).toString("hex")}`;
  await sql.script(`create role ${role}`);
  onTestFinished(() => sql.script(`drop owned by ${role}; drop role ${role}`));
  return role;
}

describe("doctor", () => {
  useDurableServer();
  const shared = sharedHost();

  it("finds no problem on a working host", async () => {
    const place = await openHost();
    const role = await newRole(place);
    await place.ask(["migrate", "--application", role]);
    expect(await findings(place, ["--application", role], 0)).toEqual([]);
    const { stdout } = await place.tillkit(["doctor", "--application", role], { openWallets: wallets });
    expect(stdout).toBe(
      [
        "not checked: whether the wallets accept the credentials, and whether their clocks agree with this machine's: run `tillkit pay-tools check`",
        "not checked: how much space the disk of the database still has; a full disk is a finding",
        "No problem was found.\n",
      ].join("\n"),
    );
  });

  it("finds a database that answers, but accepts no writes, and names the remedy", async () => {
    const place = shared();
    const url = new URL(place.env["DATABASE_URL"] ?? "");
    url.searchParams.set("options", "-c default_transaction_read_only=on");
    const { stdout } = await place.tillkit(["doctor", "--database-url", url.href], { openWallets: wallets });
    expect(stdout).toMatch(/^storage\.read-only: .*so hosts are not ready/m);
    expect(stdout).toContain("After a failover, this address leads to the old primary or to a standby");
  });

  it("names a full disk, with the remedy", async () => {
    const place = await openHost();
    await place.sql.script(
      `create function ${place.schema}.disk_full() returns trigger language plpgsql as
         $$ begin raise 'could not write to file' using errcode = '53100'; end $$;
       create trigger disk_full before insert on ${place.schema}.readiness
         execute function ${place.schema}.disk_full()`,
    );
    const { code, stdout } = await place.tillkit(["doctor"], { openWallets: wallets });
    expect(code).toBe(1);
    expect(stdout).toMatch(/^storage\.disk-full: .*so hosts are not ready/m);
    expect(stdout).toContain("Free space or enlarge the disk");
  });

  it("writes as the role of the hosts, and reports if the role may not write", async () => {
    const place = await openHost();
    const role = await newRole(place);
    await place.ask(["migrate", "--application", role]);
    await place.sql.script(`revoke insert on ${place.schema}.readiness from ${role}`);
    expect(await findings(place, ["--application", role], 1)).toEqual([
      "missing-grant readiness",
      "storage.misconfigured database",
    ]);
  });

  it("reports that this connection may not act as the role of the hosts", async () => {
    const place = await openHost();
    const [role, owner] = [await newRole(place), await newRole(place)];
    await place.ask(["migrate", "--application", role]);
    await place.sql.script(
      `alter role ${owner} login password '${owner}'; grant ${owner} to current_user;
       grant usage on schema ${place.schema} to ${owner};
       grant select, insert, update on all tables in schema ${place.schema} to ${owner}`,
    );
    const url = new URL(place.env["DATABASE_URL"] ?? "");
    [url.username, url.password] = [owner, owner];
    const { skipped } = examined.parse(
      await place.ask(["doctor", "--application", role, "--database-url", url.href], {
        openWallets: wallets,
      }),
    );
    expect(skipped).toContain(`a write as ${role}: this connection may not act as that role`);
  });

  it("finds a limit of connections that is reached", async () => {
    const place = await openHost();
    const role = await newRole(place);
    await place.ask(["migrate", "--application", role]);
    await place.sql.script(`alter role ${role} connection limit 0`);
    expect(await findings(place, ["--application", role], 1)).toEqual([`few-connections the role ${role}`]);
  });

  it("shows what waits for a person, but not as a problem of the installation", async () => {
    const place = await openHost();
    const appId = await newApp(place.ask);
    const stores = postgresStores({ ...place, credentialKeys: [{ version: 1, key: new Uint8Array(32) }] });
    await expectOk(stores.orders.insertOnce(anOrder({ appId }), anAlarm()));
    const { code, stdout } = await place.tillkit(["doctor"], { openWallets: wallets });
    expect(stdout).toContain(
      "waits for a person: orders with the alarm MISMATCH: 1\n  tillkit alarms list\n",
    );
    expect(code).toBe(0);
  });

  it("reports that a server without Citus has no nodes to check", async () => {
    const place = await openHost();
    const { stdout } = await place.tillkit(["doctor", "--direct-nodes"], { openWallets: wallets });
    expect(stdout).toContain("not checked: nodes: the server has no Citus\n");
  });

  it("finds a migration that was not applied", async () => {
    const place = await openPlace();
    await place.ask(["keys", "create"]);
    expect(await findings(place, [], 1)).toEqual(MIGRATIONS.map(({ name }) => `not-migrated ${name}`));
  });

  it("finds a missing index, and prints how to create it", async () => {
    const place = await openHost();
    await place.sql.script(`drop index ${place.schema}.downloads_by_day`);
    expect(await findings(place, [], 1)).toEqual(["missing-index downloads_by_day"]);
    const { stdout } = await place.tillkit(["doctor"], { openWallets: wallets });
    expect(stdout.toLowerCase()).toContain("create index");
  });

  it("finds a missing grant", async () => {
    const place = await openHost();
    const role = await newRole(place);
    await place.ask(["migrate", "--application", role]);
    await place.sql.script(`revoke update on ${place.schema}.orders from ${role}`);
    expect(await findings(place, ["--application", role], 1)).toEqual([
      expect.stringMatching(/^missing-grant .*orders/),
    ]);
  });

  it("finds credentials that do not decrypt, also credentials of a replaced pay tool", async () => {
    const place = await openHost();
    const { ask, file } = place;
    const appId = await newApp(ask);
    for (const accountId of ["m-1", "m-2"]) {
      const path = await file("tool.json", TOOL.replace("m-1", accountId));
      await ask(["pay-tools", "set", "--app", appId, path], { openWallets: wallets });
    }
    const key = Buffer.alloc(32, 3).toString("base64");
    const keys = [{ version: 7, key }];
    await file("keys.json", JSON.stringify({ peppers: keys, credentialKeys: keys }));
    const found = await findings(place, [], 1);
    expect(found.map((one) => one.split(" ")[0])).toEqual(["credentials-sealed", "credentials-sealed"]);
  });

  it("finds wallet keys that do not parse", async () => {
    const place = await openHost();
    const appId = await newApp(place.ask);
    const path = await place.file("tool.json", TOOL.replace("privateKey", "problem"));
    await place.ask(["pay-tools", "set", "--app", appId, path], { openWallets: wallets, code: 1 });
    expect(await findings(place, [], 1)).toEqual([expect.stringMatching(/^credentials-unusable /)]);
  });

  it("names the variable of the gateway that a DEV pay tool needs, and not the credentials", async () => {
    const place = await openHost();
    const appId = await newApp(place.ask);
    const path = await place.file("tool.json", TOOL);
    await place.ask(["pay-tools", "set", "--app", appId, path], { openWallets: wallets });
    const { stdout } = await place.tillkit(["doctor"]);
    expect(stdout).toMatch(
      /^gateway-missing: .*\n {2}Set TILLKIT_WALLET_A_GATEWAY or --wallet-a-gateway to /mu,
    );
  });

  it("finds wallet credentials that end within 30 days, or have ended", async () => {
    const place = await openHost();
    const appId = await newApp(place.ask);
    const ending = async (expiresAt: number) => {
      const tool = TOOL.replace("privateKey", "expiresAt").replace("s3cret", String(expiresAt));
      const path = await place.file("tool.json", tool);
      await place.ask(["pay-tools", "set", "--app", appId, path], { openWallets: wallets });
    };
    const day = 86_400_000;
    await ending(Date.now() + 31 * day);
    expect(await findings(place, [], 0)).toEqual([]);
    for (const [days, word] of [
      [29, "expires"],
      [-1, "expired"],
    ] as const) {
      await ending(Date.now() + days * day);
      expect(await findings(place, [], 1)).toEqual([expect.stringMatching(/^credential-expiring /)]);
      const checked = await place.tillkit(["pay-tools", "check"], { openWallets: wallets });
      expect(checked).toMatchObject({ code: 1 });
      expect(checked.stdout).toMatch(
        new RegExp(`The credential expiresAt of the .*pay tool .* ${word} on \\d{4}-`),
      );
    }
  });

  it("mentions simulated wallets, and reports them as a finding if the environment is production", async () => {
    const place = await openHost();
    const gateways = [
      "--wallet-a-gateway",
      "http://127.0.0.1:4001",
      "--wallet-b-gateway",
      "http://[::1]:4002/x",
    ];
    const sandbox = { openWallets: wallets, env: { ...place.env, WALLETS: "sandbox" } };
    const notes = async (argv: readonly string[], io: Parameters<Place["tillkit"]>[1]) => {
      const { code, stdout } = await place.tillkit(["doctor", ...argv], io);
      expect(code).toBe(0);
      return stdout.split("\n").filter((line) => line.startsWith("note: "));
    };
    expect(await notes([], { openWallets: wallets })).toEqual([]);
    expect(await notes(gateways, sandbox)).toEqual([
      "note: WALLETS is sandbox: hosts simulate both wallets, and no customer pays real money.",
      "note: DEV pay tools of WALLET_A call http://127.0.0.1:4001, not WeChat Pay: no customer pays real money with them.",
      "note: DEV pay tools of WALLET_B call http://[::1]:4002, not Alipay: no customer pays real money with them.",
    ]);
    const appId = await newApp(place.ask);
    await place.ask(["pay-tools", "set", "--app", appId, await place.file("tool.json", TOOL)], {
      openWallets: wallets,
    });
    expect(await notes([], { openWallets: wallets })).toEqual([
      "note: Current pay tools with appEnv DEV: 1. No customer pays real money with them: see `tillkit pay-tools list`.",
    ]);
    const env = { ...sandbox.env, NODE_ENV: "production" };
    expect(await findings(place, gateways, 1, { env })).toEqual([
      "simulated-wallet WALLETS",
      "simulated-wallet WALLET_A",
      "simulated-wallet WALLET_B",
    ]);
  });

  it("checks whether credentials decrypt without a wallet adapter, and prints what it did not check", async () => {
    const place = shared();
    const none = () => err(failure("unavailable", "wallets.not-installed", "There is none."));
    const { skipped } = examined.parse(await place.ask(["doctor"], { openWallets: none }));
    expect(skipped).toContain("keys inside wallet credentials: There is none.");
  });

  it.each([-60_000, 60_000])("finds a clock that is off by %i ms", async (apart) => {
    const place = shared();
    const clock = { ...systemClock, now: () => Date.now() + apart };
    expect(await findings(place, [], 1, { clock })).toEqual(["clock-skew clock"]);
  });

  it("finds a key file that others can read, or that is missing", async () => {
    const place = shared();
    expect(await findings(place, ["--keys-file", "/nowhere/keys.json"], 1)).toEqual([
      "keyring.missing key file",
    ]);
  });

  it("finds a server that does not answer, and repeats no password", async () => {
    const place = await openPlace();
    const argv = ["doctor", "--database-url", "postgres://kim:s3cret@127.0.0.1:1/tillkit"];
    const { code, stdout, stderr } = await place.tillkit(argv);
    expect(code).toBe(1);
    expect(stdout).toMatch(/^connection: The database cannot be used \(.*ECONNREFUSED/);
    expect(stdout + stderr).not.toContain("s3cret");
  });
});
