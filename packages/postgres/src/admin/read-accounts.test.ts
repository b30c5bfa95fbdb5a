import { anAccount, expectOk } from "@tillkit/contract-tests";
import { expect, it } from "vitest";
import { postgresStores } from "../stores/postgres-stores.js";
import { readAccounts } from "./read-accounts.js";
import { serverSchema } from "../testing/databases.js";

const one = { version: 1, key: new Uint8Array(32).fill(1) };
const two = { version: 2, key: new Uint8Array(32).fill(2) };

it("readAccounts also returns replaced pay tools, and leaves out credentials that cannot be decrypted", async () => {
  const storage = await serverSchema();
  const under = (key: typeof one) => postgresStores({ ...storage, credentialKeys: [key] }).payTools;
  const replaced = await expectOk(under(one).put(anAccount({ accountId: "first" })));
  const current = await expectOk(under(two).put(anAccount({ accountId: "second" })));
  const { credentials: _secret, ...payTool } = replaced;
  expect(await expectOk(readAccounts({ ...storage, credentialKeys: [two] }))).toEqual([
    { payTool: { ...payTool, id: current.id, accountId: "second" }, current: true, account: current },
    { payTool, current: false },
  ]);
  const all = await expectOk(readAccounts({ ...storage, credentialKeys: [two, one] }));
  expect(all.map(({ account }) => account)).toEqual([current, replaced]);
});
