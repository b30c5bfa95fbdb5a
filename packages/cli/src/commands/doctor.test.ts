import { randomBytes } from "node:crypto";
import { MIGRATIONS } from "@tillkit/postgres";
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

  it("finds nothing on a sound host", async () => {
    const place = await openHost();
    const role = await newRole(place);
    await place.ask(["migrate", "--application", role]);
    expect(await findings(place, ["--application", role], 0)).toEqual([]);
    const { stdout } = await place.tillkit(["doctor", "--application", role], { openWallets: wallets });
    expect(stdout).toBe("No problem was found.\n");
  });

  it("says that a server without Citus has no nodes to check", async () => {
    const place = await openHost();
    const { stdout } = await place.tillkit(["doctor", "--direct-nodes"], { openWallets: wallets });
    expect(stdout).toContain("not checked: nodes: the server has no Citus\n");
  });

  it("finds a migration that was not applied", async () => {
    const place = await openPlace();
    await place.ask(["keys", "create"]);
    expect(await findings(place, [], 1)).toEqual(MIGRATIONS.map(({ name }) => `not-migrated ${name}`));
  });

  it("finds a missing index, and says how to make it", async () => {
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

  it("finds credentials that do not decrypt, also those of a replaced pay tool", async () => {
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

  it("looks whether credentials decrypt without any wallet adapter, and says what it left out", async () => {
    const place = shared();
    const none = () => err(failure("unavailable", "wallets.not-installed", "There is none."));
    const { skipped } = examined.parse(await place.ask(["doctor"], { openWallets: none }));
    expect(skipped).toContain("keys inside wallet credentials: There is none.");
  });

  it.each([-60_000, 60_000])("finds a clock that is %i ms apart", async (apart) => {
    const place = shared();
    const clock = { ...systemClock, now: () => Date.now() + apart };
    expect(await findings(place, [], 1, { clock })).toEqual(["clock-skew clock"]);
  });

  it("finds a key file that others can read, or that is not there", async () => {
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
