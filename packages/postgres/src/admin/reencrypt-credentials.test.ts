import { anAccount, expectFailure, expectOk } from "@tillkit/contract-tests";
import { expect, it } from "vitest";
import { postgresStores } from "../stores/postgres-stores.js";
import { reencryptCredentials } from "./reencrypt-credentials.js";
import { serverSchema } from "../testing/databases.js";

const one = { version: 1, key: new Uint8Array(32).fill(1) };
const two = { version: 2, key: new Uint8Array(32).fill(2) };

it("reencryptCredentials replaces credentials of an older key once, so that the key can be removed", async () => {
  const storage = await serverSchema();
  const before = postgresStores({ ...storage, credentialKeys: [one] });
  const accounts = [
    await expectOk(before.payTools.put(anAccount({ accountId: "first" }))),
    await expectOk(before.payTools.put(anAccount({ accountId: "second" }))),
  ];
  const rotating = { ...storage, credentialKeys: [two, one] };
  const third = anAccount({ appId: "app_2" });
  accounts.push(await expectOk(postgresStores(rotating).payTools.put(third)));

  expect(await expectOk(reencryptCredentials(rotating))).toBe(2);
  expect(await expectOk(reencryptCredentials(rotating))).toBe(0);
  const after = postgresStores({ ...storage, credentialKeys: [two] });
  for (const account of accounts) expect(await expectOk(after.payTools.find(account.id))).toEqual(account);
  expect(await expectFailure(before.payTools.find(third.id))).toMatchObject({
    name: "storage.misconfigured",
  });
});
