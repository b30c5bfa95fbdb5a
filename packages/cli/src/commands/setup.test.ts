import { createHash } from "node:crypto";
import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { MIGRATIONS } from "@tillkit/postgres";
import { beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { emptiedHost, openHost, openPlace, sharedHost, useDurableServer } from "../testing/cli.js";
import { newApp, TOOL, wallets } from "../testing/fixture.js";

const shared = sharedHost();
const openEmptied = emptiedHost();
const keyringShape = z.object({ peppers: z.array(z.unknown()), credentialKeys: z.array(z.unknown()) });
const appWithSecret = z.object({
  appSecret: z.string(),
  app: z.object({
    secrets: z.array(z.object({ gmtCreate: z.number(), expiresAt: z.number().optional() })),
  }),
});

describe("keys", () => {
  it("creates a file that only its owner can read, and never prints a key", async () => {
    const { tillkit, env, ask } = await openPlace();
    const made = await tillkit(["keys", "create"]);
    const rotated = await ask(["keys", "rotate", "Credential-Keys"]);
    expect(rotated).toMatchObject({ peppers: [1], credentialKeys: [2, 1] });
    expect((await stat(env["TILLKIT_KEYS_FILE"] ?? "")).mode & 0o777).toBe(0o600);
    const file = await readFile(env["TILLKIT_KEYS_FILE"] ?? "", "utf8");
    for (const [, key = ""] of file.matchAll(/"key": "([^"]+)"/g)) {
      expect(made.stdout + made.stderr + JSON.stringify(rotated)).not.toContain(key);
    }
    expect((await tillkit(["keys", "create"])).code).toBe(3);
  });

  it("encrypts credentials with the current key, so that the older key can be removed", async () => {
    const { ask, file, env } = await openHost();
    const appId = await newApp(ask);
    await ask(["pay-tools", "set", "--app", appId, await file("tool.json", TOOL)], { openWallets: wallets });
    await ask(["keys", "rotate", "credential-keys"]);
    expect(await ask(["keys", "reencrypt"])).toEqual({ reencrypted: 1 });
    const keyring: unknown = JSON.parse(await readFile(env["TILLKIT_KEYS_FILE"] ?? "", "utf8"));
    const { peppers, credentialKeys } = keyringShape.parse(keyring);
    await file("keys.json", JSON.stringify({ peppers, credentialKeys: credentialKeys.slice(0, 1) }));
    expect(await ask(["pay-tools", "check"], { openWallets: wallets })).toEqual({ checked: 1, findings: [] });
  });
});

describe("migrate and plan", () => {
  useDurableServer();

  it("plan prints what migrate then does, and afterwards both have nothing to do", async () => {
    const { tillkit, ask, sql, schema } = await openPlace();
    await ask(["keys", "create"]);
    const plan = await tillkit(["plan"]);
    expect(plan).toMatchObject({ code: 0, stderr: "" });
    expect(plan.stdout).toMatch(/^begin;\ncreate schema/);
    const applied = MIGRATIONS.map(({ name }) => name);
    expect(await ask(["migrate"])).toEqual({ schema, applied, undistributed: [] });
    expect(await ask(["migrate"])).toEqual({ schema, applied: [], undistributed: [] });
    expect((await tillkit(["plan"])).stdout).toBe("-- nothing to do\n");
    await sql.script(`drop schema ${schema} cascade`);
    await sql.script(plan.stdout);
    expect(await ask(["doctor"])).toMatchObject({ findings: [] });
  });

  it("prints what to do about a schema that is not migrated", async () => {
    const { tillkit, ask } = await openPlace();
    await ask(["keys", "create"]);
    const { code, stderr } = await tillkit(["apps", "list"]);
    expect(code).toBe(4);
    expect(stderr).toContain("tillkit migrate");
  });

  it(
    "works on an embedded database in a folder, which only migrate creates",
    { tags: "slow", timeout: 600_000 },
    async () => {
      const { folder, tillkit, ask } = await openPlace();
      await ask(["keys", "create"]);
      const data = ["--data-dir", join(folder, "data")];
      expect((await tillkit(["clients", "list", ...data])).code).toBe(3);
      await ask(["migrate", ...data]);
      const doctor = await ask(["doctor", ...data]);
      expect(doctor).toMatchObject({ findings: [] });
    },
  );
});

describe("every command that opens the database", () => {
  const later = sharedHost();
  beforeAll(async () => {
    const { sql, schema } = later();
    await sql.script(
      `insert into ${schema}.schema_migrations (version, name, checksum, breaking) values (9999, '9999-later', 'x', true)`,
    );
  });

  it.each([
    "migrate",
    "plan",
    "apps list",
    "clients list",
    "downloads import -",
    "keys reencrypt",
    "pay-tools check",
  ])("%s refuses, with one line, a schema that has a newer breaking migration", async (command) => {
    const { code, stdout, stderr } = await later().tillkit(command.split(" "));
    expect({ code, stdout }).toEqual({ code: 4, stdout: "" });
    expect(stderr).toMatch(/^The schema .* has the breaking migration 9999-later.*upgrade.*\n$/);
  });
});

describe("apps", () => {
  it("prints a secret only when it is created, and never a hash", async () => {
    const { tillkit, ask } = await openEmptied();
    const { stdout } = await tillkit([
      "apps",
      "create",
      "--name",
      "Notes",
      "--without-accounts",
      "--allow-card",
    ]);
    const [, appId = "", secret = ""] = /APP_ID +(\S+)\nAPP_SECRET +(sk_\S+)\n/.exec(stdout) ?? [];
    const listed = await ask(["apps", "list"]);
    expect(listed).toMatchObject({
      apps: [
        {
          appId,
          name: "Notes",
          accountBased: false,
          identityChecks: {
            email: true,
            phone: true,
            card: false,
            identityCard: true,
            walletAccount: true,
            bizNo: true,
          },
        },
      ],
    });
    expect(JSON.stringify(listed) + (await tillkit(["apps", "list"])).stdout).not.toMatch(/hash|sk_/);
    const rotated = appWithSecret.parse(await ask(["apps", "rotate-secret", appId, "--overlap-hours", "1"]));
    expect(rotated.appSecret).toMatch(/^sk_/);
    expect(rotated.appSecret).not.toBe(secret);
    const ends = rotated.app.secrets.flatMap(({ expiresAt }) => expiresAt ?? []);
    const latest = Math.max(...rotated.app.secrets.map(({ gmtCreate }) => gmtCreate));
    expect(rotated.app.secrets).toHaveLength(2);
    expect(ends).toEqual([latest + 3_600_000]);
  });

  it.each(["8785", "99999999999", "9007199254740993", "1e3"])(
    "refuses an overlap of %s hours, and leaves the app as it is",
    async (hours) => {
      const { ask } = shared();
      const appId = await newApp(ask);
      const before = await ask(["apps", "list"]);
      await ask(["apps", "rotate-secret", appId, "--overlap-hours", hours], { code: 2 });
      expect(await ask(["apps", "list"])).toEqual(before);
    },
  );

  it("lists the apps that can be read, names the app that cannot be read, and fails for a command about this app", async () => {
    const { tillkit, ask, sql, schema } = await openEmptied();
    const [good, bad] = [await newApp(ask), await newApp(ask)];
    await sql.script(`update ${schema}.apps set created_ms = 9007199254740993 where app_id = '${bad}'`);
    const listed = await tillkit(["apps", "list"]);
    expect(listed.code).toBe(0);
    expect(listed.stdout).toContain(good);
    expect(listed.stdout).not.toContain(bad);
    expect(listed.stderr).toBe(
      `The row ${bad} of apps cannot be read: The column created_ms does not have the type or format that this version expects. Another version of Tillkit wrote the row, or somebody changed it by hand: use that version, or correct the row.\n`,
    );
    const refused = await tillkit(["apps", "disable", bad]);
    expect(refused.code).toBe(3);
    expect(refused.stderr).toContain(`The row ${bad} of apps cannot be read`);
  });

  it("disables and enables an app, and fails for an unknown app", async () => {
    const { ask } = await openEmptied();
    const appId = await newApp(ask);
    expect(await ask(["apps", "disable", appId])).toMatchObject({ app: { disabled: true } });
    expect(await ask(["apps", "enable", appId])).toMatchObject({ app: { disabled: false } });
    expect(await ask(["apps", "disable", "app_none"], { code: 1 })).toMatchObject({
      error: { name: "credentials.invalid", exitCode: 1 },
    });
  });

  it("accepts the id and the secret of an existing app, and changes nothing if the id is taken", async () => {
    const { tillkit, ask, sql, schema } = await openEmptied();
    const create = ["apps", "create", "--name", "Notes", "--app-id", "10086", "--app-secret-stdin"];
    const input = "old secret".replace(" ", "-") + "\n";
    const made = await tillkit([...create, "--json"], { input });
    expect(made).toMatchObject({ code: 0, json: { app: { appId: "10086" } } });
    expect(made.stdout).not.toContain("old-secret");
    const [row] = await sql.query(
      { name: "secrets", text: `select secrets->0->>'hash' as hash from ${schema}.apps` },
      [],
    );
    expect(row).toEqual({ hash: createHash("sha256").update("old-secret").digest("hex") });
    const before = await ask(["apps", "list"]);
    for (const again of [input, "another-secret"])
      expect(await ask(create, { input: again, code: 1 })).toMatchObject({ error: { name: "app.exists" } });
    expect(await ask(["apps", "list"])).toEqual(before);
  });

  it.each([
    [["--app-id", "a b", "--app-secret-stdin"], "12345678"],
    [["--app-id", "a", "--app-secret-stdin"], "1234567"],
    [["--app-id", "a", "--app-secret-stdin"], "秘密秘密秘密秘密"],
    [["--app-id", "a"], "12345678"],
    [["--app-secret-stdin"], "12345678"],
  ])("refuses the credentials %j and %s without repeating the secret", async (options, input) => {
    const { tillkit } = await openEmptied();
    const ran = await tillkit(["apps", "create", "--name", "Notes", ...options], { input });
    expect(ran.code).toBe(2);
    expect(ran.stderr).not.toContain(input);
  });

  it("changes the rules that are named, and leaves the others", async () => {
    const { tillkit, ask } = await openEmptied();
    const appId = await newApp(ask);
    const set = ["apps", "set", appId];
    const rest = { identityCard: true, walletAccount: true, bizNo: true };
    const checks = { email: true, phone: true, card: true, ...rest };
    expect(await ask([...set, "--without-accounts", "--allow-card"])).toMatchObject({
      app: { accountBased: false, identityChecks: { ...checks, card: false } },
    });
    expect(await ask([...set, "--with-accounts", "--allow-email"])).toMatchObject({
      app: { accountBased: true, identityChecks: { ...checks, card: false, email: false } },
    });
    const { stdout } = await tillkit([...set, "--refuse-card", "--refuse-email"]);
    expect(stdout).toMatch(/^a card number +refused$/m);
    expect(await ask(["apps", "list"])).toMatchObject({ apps: [{ identityChecks: checks }] });
    const allow = ["--allow-identity-card", "--allow-wallet-account", "--allow-biz-no"];
    const accepted = await tillkit([...set, "--allow-phone", ...allow]);
    expect(accepted.stdout.match(/^.* accepted$/gm)).toEqual([
      "a phone number                        accepted",
      "an identity card number               accepted",
      "a WeChat openid or an Alipay user id  accepted",
      "the bizNo of the order                accepted",
    ]);
    const refuse = ["--refuse-identity-card", "--refuse-wallet-account", "--refuse-biz-no"];
    expect(await ask([...set, "--refuse-phone", ...refuse])).toMatchObject({
      app: { identityChecks: checks },
    });
    const created = await ask(["apps", "create", "--name", "Kiosk", ...allow]);
    expect(created).toMatchObject({
      app: {
        identityChecks: { ...checks, identityCard: false, walletAccount: false, bizNo: false },
      },
    });
    await ask(set, { code: 2 });
    await ask([...set, "--allow-card", "--refuse-card"], { code: 2 });
    await ask(["apps", "set", "app_none", "--allow-card"], { code: 1 });
  });

  it("refuses a name that is too long as a wrong value", async () => {
    const { ask } = shared();
    const refused = await ask(["apps", "create", "--name", "n".repeat(65)], { code: 2 });
    expect(refused).toMatchObject({ error: { name: "parameter.invalid" } });
  });
});

describe("service-types and clients", () => {
  it("creates and lists them", async () => {
    const { ask } = await openEmptied();
    const appId = await newApp(ask);
    const type = [
      "service-types",
      "create",
      "--app",
      appId,
      "--name",
      "Month",
      "--days",
      "30",
      "--number",
      "month",
    ];
    expect(await ask(type)).toMatchObject({ serviceType: { durationMs: 2_592_000_000 } });
    expect(await ask(["service-types", "list", "--app", appId])).toMatchObject({
      serviceTypes: [{ serviceTypeNo: "month", serviceName: "Month" }],
    });
    for (const days of ["36526", "9007199254740993"]) {
      await ask(["service-types", "create", "--app", appId, "--name", "Age", "--days", days], { code: 2 });
    }
    for (const refused of [
      ["--daily-limit", "10000000001"],
      ["--daily-limit", "10", "--id", "reports,of,all-apps"],
      ["--daily-limit", "10", "--id", "reports"],
    ]) {
      await ask(["clients", "create", "--app", appId, ...refused], { code: 2 });
    }
    await ask(["clients", "create", "--app", appId, "--daily-limit", "10"]);
    expect(await ask(["clients", "list"])).toMatchObject({ clients: [{ appId, dailyLimit: 10 }] });
  });

  it("creates no service type and no client with an existing id and other values", async () => {
    const { ask } = await openEmptied();
    const appId = await newApp(ask);
    const type = ["service-types", "create", "--app", appId, "--name", "Month", "--number", "month"];
    await ask([...type, "--days", "30"]);
    await ask([...type, "--days", "30"]);
    expect(await ask([...type, "--days", "31"], { code: 1 })).toMatchObject({
      error: { name: "service-type.exists" },
    });
    const client = ["clients", "create", "--app", appId, "--id", "reports-of-notes"];
    await ask([...client, "--daily-limit", "10"]);
    await ask([...client, "--daily-limit", "10"]);
    expect(await ask([...client, "--daily-limit", "7"], { code: 1 })).toMatchObject({
      error: { name: "downloads-client.exists" },
    });
  });

  it("changes, disables, enables and rotates a client, and records who did it", async () => {
    const { ask, tillkit } = await openEmptied();
    const appId = await newApp(ask);
    const id = "short";
    const create = ["clients", "create", "--app", appId, "--daily-limit", "10", "--allow-guessable-id"];
    await ask([...create, "--id", id]);
    const by = ["--operator", "li", "--reason", "partner left"];
    expect(await ask(["clients", "set", id, "--daily-limit", "5", ...by])).toMatchObject({
      client: { clientId: id, dailyLimit: 5 },
    });
    await ask(["clients", "disable", id, ...by]);
    expect((await tillkit(["clients", "list"])).stdout).toMatch(/short .* 5 +disabled/);
    expect(await ask(["clients", "rotate", id, ...by], { code: 1 })).toMatchObject({
      error: { name: "downloads-client.ended" },
    });
    await ask(["clients", "enable", id, ...by]);
    expect((await tillkit(["clients", "list"])).stdout).toMatch(/short .* 5 +enabled/);
    const rotated = await ask(["clients", "rotate", id, "--overlap-hours", "1", ...by]);
    expect(rotated).toMatchObject({ client: { appId, dailyLimit: 5 } });
    expect(JSON.stringify(rotated)).toMatch(/"clientId":"dlc_[0-9A-Z]{26}"/);
    expect((await tillkit(["clients", "list"])).stdout).toMatch(/short .* 5 +works until \d{4}-/);
    expect(await ask(["clients", "disable", "absent", ...by], { code: 1 })).toMatchObject({
      error: { name: "downloads-client.unknown" },
    });
    const audit = await ask(["audit", "list", "--operator", "li"]);
    expect(audit).toMatchObject({
      entries: [
        { action: "downloads-client.rotate", operator: "li" },
        { action: "downloads-client.enable" },
        { action: "downloads-client.disable" },
        { action: "downloads-client.limit" },
      ],
    });
  });

  it("renames, retires and restores a service type, and records who did it", async () => {
    const { ask, tillkit } = await openEmptied();
    const appId = await newApp(ask);
    const of = ["month", "--app", appId];
    const terms = ["--app", appId, "--name", "Month", "--days", "30", "--number", "month"];
    await ask(["service-types", "create", ...terms]);
    const by = ["--operator", "li", "--reason", "new catalogue"];
    expect(await ask(["service-types", "rename", ...of, "--name", "Thirty days", ...by])).toMatchObject({
      serviceType: { serviceTypeNo: "month", serviceName: "Thirty days" },
    });
    const retired = await ask(["service-types", "retire", ...of, ...by]);
    expect(JSON.stringify(retired)).toMatch(/"retiredAt":\d{13}/);
    expect(await ask(["service-types", "retire", ...of, ...by])).toEqual(retired);
    const { stdout } = await tillkit(["service-types", "list", "--app", appId]);
    expect(stdout).toMatch(/month +Thirty days +30 +\d{4}-/);
    const restored = await ask(["service-types", "restore", ...of, ...by]);
    expect(JSON.stringify(restored)).not.toContain("retiredAt");
    expect(await ask(["audit", "list", "--operator", "li"])).toMatchObject({
      entries: [
        { action: "service-type.restore", subject: `service-type:${appId}/month`, reason: "new catalogue" },
        { action: "service-type.retire" },
        {
          action: "service-type.rename",
          detail: JSON.stringify({ serviceName: "Thirty days", before: { serviceName: "Month" } }),
        },
      ],
    });
    await ask(["service-types", "rename", ...of, "--name", "n".repeat(65)], { code: 2 });
    for (const change of [["rename", "--name", "x"], ["retire"], ["restore"]]) {
      const gone = await ask(["service-types", ...change, "none", "--app", appId], { code: 1 });
      expect(gone).toMatchObject({ error: { name: "service-type.unknown" } });
    }
  });

  it("creates no client of an app that does not exist", async () => {
    const { ask } = shared();
    const refused = await ask(["clients", "create", "--app", "app_gone", "--daily-limit", "10"], { code: 1 });
    expect(refused).toMatchObject({ error: { name: "app.unknown" } });
    expect(JSON.stringify(refused)).toContain("These apps do not exist: app_gone. `tillkit apps list`");
    expect(await ask(["clients", "list"])).toEqual({ clients: [] });
  });
});

describe("pay-tools", () => {
  it("sets a pay tool from a file or standard input, and prints no credentials", async () => {
    const { tillkit, ask, file } = await openEmptied();
    const appId = await newApp(ask);
    const path = await file("tool.json", TOOL);
    const set = await tillkit(["pay-tools", "set", "--app", appId, path], { openWallets: wallets });
    expect(set).toMatchObject({ code: 0, stderr: "" });
    const again = await ask(["pay-tools", "set", "--app", appId, "-"], { openWallets: wallets, input: TOOL });
    expect(again).toMatchObject({ payTool: { signStatus: "OK", accountId: "m-1" }, problems: [] });
    const listed = await ask(["pay-tools", "list", "--app", appId]);
    expect(listed).toMatchObject({ payTools: [{ payChannel: "WALLET_A" }] });
    expect(set.stdout + JSON.stringify([again, listed])).not.toContain("s3cret");
  });

  it("prints what is wrong with credentials, and check finds the same problem", async () => {
    const { ask, file } = await openEmptied();
    const appId = await newApp(ask);
    const broken = await file("tool.json", TOOL.replace("privateKey", "problem"));
    const set = await ask(["pay-tools", "set", "--app", appId, broken], { openWallets: wallets, code: 1 });
    expect(set).toMatchObject({ payTool: { signStatus: "NO" }, problems: ["s3cret"] });
    const checked = await ask(["pay-tools", "check"], { openWallets: wallets, code: 1 });
    expect(checked).toMatchObject({ findings: [{ kind: "credentials-unusable" }] });
  });

  it.each([
    ['{"credentials": "s3cret', "is not JSON"],
    ['{"payChannel":"WALLET_A","credentials":{"a":"s3cret"}}', "accountId"],
    ['{"s3cret":1}', "unrecognized_keys"],
  ])("refuses %s without repeating it", async (input, message) => {
    const { tillkit } = shared();
    const ran = await tillkit(["pay-tools", "set", "--app", "app_1", "-"], { input, openWallets: wallets });
    expect(ran.code).toBe(2);
    expect(ran.stderr).toContain(message);
    expect(ran.stderr).not.toContain("s3cret");
  });

  it("checks keys with the wallets that the program includes", async () => {
    const { tillkit, ask } = await openEmptied();
    const set = ["pay-tools", "set", "--app", await newApp(ask), "-"];
    for (const payChannel of ["WALLET_A", "WALLET_B"]) {
      const ran = await tillkit(set, { input: TOOL.replace("WALLET_A", payChannel) });
      expect(ran).toMatchObject({ code: 1, stderr: "" });
      expect(ran.stdout).toContain("These credentials do not work: ");
      expect(ran.stdout).not.toContain("s3cret");
    }
  });
});
