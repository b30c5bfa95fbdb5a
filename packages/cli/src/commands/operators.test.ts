import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import type { PasswordHasher } from "@tillkit/core";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import type { Io } from "../io.js";
import { emptiedHost } from "../testing/cli.js";

const openHost = emptiedHost();

const created = z.object({ operator: z.object({ name: z.string() }), password: z.string() });
const entries = z.object({
  entries: z.array(
    z.object({ action: z.string(), outcome: z.string(), operator: z.string(), subject: z.string() }),
  ),
});

/** A fake hasher. The default one takes longer than most tests. */
const fakeHasher: PasswordHasher = {
  hash: (password) => Promise.resolve(`fake ${password}`),
  matches: (password, hash) => Promise.resolve(hash === `fake ${password}`),
};

/** Opens an environment with one operator. Every command runs as the operator `han`. */
async function aTeam(io: Pick<Io, "passwords"> = { passwords: fakeHasher }) {
  const place = await openHost();
  const by = { ...io, env: { ...place.env, TILLKIT_OPERATOR: "han" } };
  const ask = (argv: readonly string[], io = {}) => place.ask(argv, { ...by, ...io });
  const tillkit = (argv: readonly string[], io = {}) => place.tillkit(argv, { ...by, ...io });
  const made = created.parse(await ask(["operators", "create", "li", "--role", "support"]));
  const log = async (...filter: readonly string[]) =>
    entries
      .parse(await ask(["audit", "list", ...filter]))
      .entries.map(({ action, outcome, operator, subject }) => `${action} ${outcome} ${operator} ${subject}`);
  return { ...place, ask, tillkit, made, log };
}

describe("operators", () => {
  it("get a generated password that is printed once and never listed", async () => {
    // Uses the default hasher, so that one test covers it.
    const { made, ask, tillkit } = await aTeam({});
    expect(made.password.length).toBeGreaterThan(40);
    const listed = await ask(["operators", "list"]);
    expect(listed).toMatchObject({
      operators: [{ name: "li", role: "support", secondFactor: false, mustChangePassword: true }],
    });
    expect(JSON.stringify(listed)).not.toMatch(/scrypt|password":/);
    const table = await tillkit(["operators", "list"]);
    expect(table.stdout).toMatch(
      /^NAME +ROLE +APPS +STATE +SECOND FACTOR +CREATED\nli +support +all +enabled +no /,
    );
  });

  it("can have a password from standard input, which is not printed", async () => {
    const { ask, tillkit } = await aTeam();
    const argv = ["operators", "create", "an", "--role", "viewer", "--app", "app_1", "--password-stdin"];
    const ran = await tillkit(argv, { input: "correct horse battery\n" });
    expect(ran).toMatchObject({ code: 0 });
    expect(ran.stdout + ran.stderr).not.toContain("correct horse");
    expect(await ask(["operators", "list"])).toMatchObject({
      operators: [{ name: "an", apps: ["app_1"], mustChangePassword: false }, { name: "li" }],
    });
  });

  it.each([
    ["an empty password", ["create", "an", "--role", "viewer", "--password-stdin"], "\n"],
    ["a short password", ["create", "an", "--role", "viewer", "--password-stdin"], "short\n"],
    ["a name with a space", ["create", "an an", "--role", "viewer"], ""],
    ["no role", ["create", "an"], ""],
    ["an unknown role", ["create", "an", "--role", "root"], ""],
    ["a role without --app and --all-apps", ["role", "li", "viewer"], ""],
    ["a role with --app and --all-apps", ["role", "li", "viewer", "--app", "app_1", "--all-apps"], ""],
  ])("are not changed with %s", async (_, argv, input) => {
    const { ask, tillkit } = await aTeam();
    const before = await ask(["operators", "list"]);
    expect((await tillkit(["operators", ...argv], { input })).code).toBe(2);
    expect(await ask(["operators", "list"])).toEqual(before);
  });

  it("are disabled, enabled, reset and given another role, and each change is recorded", async () => {
    const { ask, log, made } = await aTeam();
    const reason = ["--reason", "test"];
    expect(await ask(["operators", "disable", "li", ...reason])).toMatchObject({
      operator: { disabled: true },
    });
    expect(await ask(["operators", "enable", "li", ...reason])).toMatchObject({
      operator: { disabled: false },
    });
    const role = await ask(["operators", "role", "li", "FINANCE", "--all-apps", ...reason]);
    expect(role).toMatchObject({ operator: { role: "finance" } });
    const reset = created.parse(await ask(["operators", "reset", "li", ...reason]));
    expect(reset.password).not.toBe(made.password);
    expect(await log("--subject", "operator:li")).toEqual([
      "operator.reset done han operator:li",
      "operator.role done han operator:li",
      "operator.enable done han operator:li",
      "operator.disable done han operator:li",
      "operator.create done han operator:li",
    ]);
  });

  it("are not created if the name exists already, and not disabled if the name does not exist", async () => {
    const { ask } = await aTeam();
    const exists = await ask(["operators", "create", "li", "--role", "admin"], { code: 1 });
    expect(exists).toMatchObject({ error: { name: "operator.exists" } });
    const unknown = await ask(["operators", "disable", "none"], { code: 1 });
    expect(unknown).toMatchObject({ error: { name: "operator.unknown" } });
  });
});

describe("the audit log", () => {
  it("is intact until somebody changes an entry in the database", async () => {
    const { ask, tillkit, sql, schema } = await aTeam();
    await ask(["apps", "create", "--name", "Notes"]);
    expect(await ask(["audit", "verify"])).toMatchObject({ brokenAt: null, intactUpTo: { seq: 2 } });
    await sql.script(`update ${schema}.audit_log set reason = 'another' where seq = 2`);
    expect(await ask(["audit", "verify"], { code: 1 })).toMatchObject({
      brokenAt: 2,
      intactUpTo: { seq: 1 },
    });
    expect((await tillkit(["audit", "verify"])).stdout).toContain("The chain is broken at entry 2");
  });

  it("shows that the last entries were removed, if the number and hash of one were noted before", async () => {
    const { ask, sql, schema } = await aTeam();
    const noted = z
      .object({ intactUpTo: z.object({ seq: z.number(), hash: z.string() }) })
      .parse(await ask(["audit", "verify"])).intactUpTo;
    const since = ["--seq", String(noted.seq), "--hash", noted.hash];
    expect(await ask(["audit", "verify", ...since])).toMatchObject({ brokenAt: null });
    await sql.script(`delete from ${schema}.audit_log where seq = ${String(noted.seq)}`);
    expect(await ask(["audit", "verify", ...since], { code: 1 })).toMatchObject({ brokenAt: noted.seq });
  });

  it("is exported whole to a file for its owner alone", async () => {
    const { ask, folder, log } = await aTeam();
    const file = join(folder, "audit.jsonl");
    expect(await ask(["audit", "export", file])).toMatchObject({ entries: 1 });
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    const lines = (await readFile(file, "utf8")).trim().split("\n");
    expect(lines.map((line) => z.object({ action: z.string() }).parse(JSON.parse(line)).action)).toEqual([
      "operator.create",
    ]);
    expect(await log("--action", "audit.export")).toHaveLength(1);
  });

  it("is listed newest first, in pages", async () => {
    const { ask, log } = await aTeam();
    await ask(["operators", "disable", "li"]);
    expect(await log("--limit", "1")).toEqual(["operator.disable done han operator:li"]);
    expect(await log("--limit", "1", "--before", "2")).toEqual(["operator.create done han operator:li"]);
    expect(await log("--outcome", "refused")).toEqual([]);
  });
});
