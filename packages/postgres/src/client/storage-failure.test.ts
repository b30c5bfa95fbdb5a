import { randomBytes } from "node:crypto";
import { anAccount, anApp, expectFailure, expectOk } from "@tillkit/contract-tests";
import { describe, expect, inject, it, onTestFinished } from "vitest";
import { credentialCipher } from "../credentials/credential-cipher.js";
import { migrate } from "../admin/migrate.js";
import { checkSchema } from "../admin/schema-state.js";
import { postgresStores } from "../stores/postgres-stores.js";
import { storageFailureOf } from "./storage-failure.js";
import { quoted } from "../sql/tables.js";
import { freshSchema, KEY, serverClient, serverSchema } from "../testing/databases.js";

const matching = (pattern: RegExp): unknown => expect.stringMatching(pattern);
const containing = (text: string): unknown => expect.stringContaining(text);
const notContaining = (text: string): unknown => expect.not.stringContaining(text);
const withCode = (code: string) => Object.assign(new Error("from the driver"), { code });

describe("storageFailureOf", () => {
  it.each([
    ["42501", /lacks a right/],
    ["42P01", /lacks a table/],
    ["3F000", /lacks a table/],
    ["42703", /do not fit this version/],
    ["42883", /do not fit this version/],
    ["42P10", /do not fit this version/],
    ["42P08", /do not fit this version/],
    ["42601", /do not fit this version/],
    ["28000", /refuses the login/],
    ["28P01", /refuses the login/],
    ["0P000", /refuses the login/],
    ["3D000", /database does not exist/],
    ["SELF_SIGNED_CERT_IN_CHAIN", /not trusted/],
    ["DEPTH_ZERO_SELF_SIGNED_CERT", /not trusted/],
    ["CERT_HAS_EXPIRED", /not trusted/],
    ["ERR_TLS_CERT_ALTNAME_INVALID", /not trusted/],
    ["UNABLE_TO_VERIFY_LEAF_SIGNATURE", /not trusted/],
  ])("gives a remedy for %s", (code, remedy) => {
    const cause = withCode(code);
    expect(storageFailureOf(cause)).toEqual({
      name: "storage.misconfigured",
      cause,
      remedy: matching(remedy),
    });
  });

  it.each([
    "08000",
    "08006",
    "53100",
    "53200",
    "53300",
    "57014",
    "57P01",
    "57P03",
    "58030",
    "25006",
    "40001",
    "40P01",
    "55P03",
    "22P02",
    "23505",
    "26000",
    "42P03",
    "42P04",
    "42P05",
    "42P06",
    "42P07",
    "XX000",
    "ECONNREFUSED",
    "ECONNRESET",
    "ENOTFOUND",
    "ETIMEDOUT",
    "EPIPE",
  ])("treats %s as temporary", (code) => {
    const cause = withCode(code);
    expect(storageFailureOf(cause)).toEqual({ name: "storage.unavailable", cause });
  });

  it.each([[undefined], ["text"], [new Error("no code")], [{ code: "42501" }]])(
    "treats %j as temporary",
    (cause) => {
      expect(storageFailureOf(cause)).toEqual({ name: "storage.unavailable", cause });
    },
  );

  it("gives a remedy for encrypted texts that the keys cannot decrypt", () => {
    const sealed = credentialCipher([KEY]).seal("secret", "owner");
    const others = [
      credentialCipher([{ version: 2, key: randomBytes(32) }]),
      credentialCipher([{ version: 1, key: randomBytes(32) }]),
    ];
    for (const cipher of others)
      for (const text of [sealed, sealed.slice(0, 20), "v1:", "secret"]) {
        const thrown = () => {
          try {
            return cipher.open(text, "owner");
          } catch (error) {
            return error;
          }
        };
        expect(storageFailureOf(thrown())).toMatchObject({
          name: "storage.misconfigured",
          remedy: notContaining("secret"),
        });
      }
  });
});

/** Migrates a schema without rights for a new role, and opens the stores of that role. */
async function withoutRights() {
  const role = `till_app_${randomBytes(6).toString("hex")}`;
  const owner = serverClient({ max: 1 });
  const sql = serverClient({ max: 2, user: role });
  const schema = freshSchema();
  await owner.script(`create role ${role} login password '${role}'`);
  onTestFinished(async () => {
    await sql.close();
    await owner.script(`drop schema ${quoted(schema)} cascade; drop role ${role}`);
    await owner.close();
  });
  await expectOk(migrate({ sql: owner, schema }));
  const openStores = () => postgresStores({ sql, schema, credentialKeys: [KEY] });
  return { role, owner, sql, schema, openStores };
}

it("a failed store method names the role, a right that the role lacks, and the command that grants it", async () => {
  const { role, owner, sql, schema, openStores } = await withoutRights();
  const failure = await expectFailure(openStores().apps.find("app_1"));
  expect(failure).toMatchObject({
    name: "storage.misconfigured",
    cause: { code: "42501" },
    remedy: containing(`tillkit migrate --application ${role}`),
  });
  expect(failure).toMatchObject({ remedy: containing("usage on the schema") });
  expect(await expectFailure(checkSchema(sql, schema))).toMatchObject({ name: "storage.misconfigured" });
  await expectOk(migrate({ sql: owner, schema, application: role }));
  await owner.script(`revoke insert on ${quoted(schema)}.apps from ${role}`);
  const stores = openStores();
  expect(await expectOk(stores.apps.find("app_1"))).toBeUndefined();
  expect(await expectFailure(stores.apps.insertOnce(anApp()))).toMatchObject({
    name: "storage.misconfigured",
    remedy: `The role ${role} has no right to insert on apps: statements that need this right fail. Run \`tillkit migrate --application ${role}\` with the role that owns the tables, or: grant insert on ${quoted(schema)}."apps" to "${role}";`,
  });
});

it.each([
  ["a wrong password", (url: URL) => void (url.password = "wrong"), /refuses the login/],
  ["an unknown role", (url: URL) => void (url.username = "nobody_here"), /refuses the login/],
  ["an unknown database", (url: URL) => void (url.pathname = "/nothing_here"), /database does not exist/],
])("a failed store method has a remedy for %s", async (_what, change, remedy) => {
  const url = new URL(inject("databaseUrl"));
  change(url);
  const wrong = serverClient({ server: url.href, max: 1 });
  onTestFinished(() => wrong.close());
  const stores = postgresStores({ sql: wrong, schema: "tillkit", credentialKeys: [KEY] });
  expect(await expectFailure(stores.apps.list())).toMatchObject({
    name: "storage.misconfigured",
    remedy: matching(remedy),
  });
});

it("a failed store method has a remedy for a pay tool that another key encrypted", async () => {
  const { sql, schema } = await serverSchema();
  const account = anAccount({ appId: "app_1" });
  await expectOk(postgresStores({ sql, schema, credentialKeys: [KEY] }).payTools.put(account));
  const credentialKeys = [{ version: 7, key: randomBytes(32) }];
  const failure = await expectFailure(
    postgresStores({ sql, schema, credentialKeys }).payTools.find(account.id),
  );
  expect(failure).toMatchObject({
    name: "storage.misconfigured",
    remedy: containing("The key file has no credential key with version 1."),
  });
});
