import {
  type App,
  authenticateCaller,
  checkToken,
  configurePayTool,
  createApp,
  createOrder,
  createOrderInput,
  getOrder,
  orThrow,
  parseInput,
} from "@tillkit/core";
import { disableApp, enableApp, rotateSecret } from "@tillkit/core/operators";
import { anAccount, expectOk } from "@tillkit/contract-tests";
import { memoryPorts } from "@tillkit/memory";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { postgresStores } from "../stores/postgres-stores.js";
import type { SqlClient } from "../sql/sql-client.js";
import { KEY, serverSchema } from "../testing/databases.js";

// The clock of the cache moves only when a test moves it.
beforeEach(() => void vi.useFakeTimers({ toFake: ["performance"] }));
afterEach(() => void vi.useRealTimers());

/**
 * Creates two processes over one database, and an app.
 *
 * It also returns a counter of the statements of the first process.
 */
async function twoProcesses() {
  const { sql, schema } = await serverSchema();
  let statements = 0;
  const counted: SqlClient = {
    ...sql,
    query: (statement, values) => {
      statements += 1;
      return sql.query(statement, values);
    },
  };
  const start = (client: SqlClient) => ({
    ...memoryPorts(),
    ...postgresStores({ sql: client, schema, credentialKeys: [KEY] }),
  });
  const [here, there] = [start(counted), start(sql)];
  const { app, appSecret } = await expectOk(createApp(there, { name: "Demo" }));
  const { appId } = app;
  const isLetIn = (process: typeof here, secret = appSecret) =>
    authenticateCaller(process, { appId, appSecret: secret }).match<App | false>(
      (found) => found,
      () => false,
    );
  const counting = async (work: () => Promise<unknown>) => {
    statements = 0;
    await work();
    return statements;
  };
  return { here, there, appId, isLetIn, counting };
}

it("a process queries the database about an app once a second", async () => {
  const { here, isLetIn, counting } = await twoProcesses();
  expect(await counting(() => isLetIn(here))).toBe(1);
  vi.advanceTimersByTime(1_000);
  expect(await counting(() => isLetIn(here))).toBe(0);
  vi.advanceTimersByTime(1);
  expect(await counting(() => isLetIn(here))).toBe(1);
});

it("a creation, a read and the check of a token run one statement each", async () => {
  const { here, appId, isLetIn, counting } = await twoProcesses();
  const { accountId, walletAppId, appEnv, appName, appPackageName, appSignature, credentials } = anAccount();
  const shown = { appEnv, appName, appPackageName, appSignature };
  const tool = { payChannel: "WALLET_B", accountId, walletAppId, credentials, ...shown } as const;
  await expectOk(configurePayTool(here, appId, tool));
  const create = async (bizNo: string) => {
    const purchase = {
      bizNo,
      customerIdentity: "c-1",
      amount: 600,
      goodsTitle: "A month",
      payChannel: "WALLET_B",
    };
    const input = orThrow(parseInput(createOrderInput(here.policy), purchase));
    await expectOk(createOrder(here, appId, input));
  };
  const called = (work: () => Promise<unknown>) =>
    counting(async () => {
      expect(await isLetIn(here)).toMatchObject({ appId });
      await work();
    });
  await called(() => create("b-1"));
  expect(await called(() => create("b-2"))).toBe(1);
  const read = () => expectOk(getOrder(here, appId, { bizNo: "b-2", customerIdentity: "c-1" }));
  // The first read of an open order queries its wallet. Further reads query it only after ten
  // seconds.
  await called(read);
  expect(await called(read)).toBe(1);
  const token = `cus_${"0".repeat(26)}.${"A".repeat(43)}`;
  expect(await called(() => expectOk(checkToken(here, appId, { token })))).toBe(1);
});

it("a process queries the database about every wrong secret, once for each request", async () => {
  const { here, isLetIn, counting } = await twoProcesses();
  for (const _ of [1, 2]) expect(await counting(() => isLetIn(here, "sk_wrong"))).toBe(1);
  await isLetIn(here);
  for (const _ of [1, 2]) expect(await counting(() => isLetIn(here, "sk_wrong"))).toBe(1);
});

it("an app is disabled at once in the process of the call, and within a second in others", async () => {
  const { here, there, appId, isLetIn } = await twoProcesses();
  for (const process of [here, there]) expect(await isLetIn(process)).toMatchObject({ appId });
  await expectOk(disableApp(there, appId));
  expect(await isLetIn(there)).toBe(false);
  vi.advanceTimersByTime(1_001);
  expect(await isLetIn(here)).toBe(false);
  await expectOk(enableApp(there, appId));
  for (const process of [here, there]) expect(await isLetIn(process)).toMatchObject({ appId });
});

it("every process accepts a new secret at once, and no old secret a second after its end", async () => {
  const { here, there, appId, isLetIn } = await twoProcesses();
  for (const process of [here, there]) expect(await isLetIn(process)).toMatchObject({ appId });
  const { appSecret } = await expectOk(rotateSecret(there, appId, 0));
  for (const process of [here, there]) expect(await isLetIn(process, appSecret)).toMatchObject({ appId });
  expect(await isLetIn(there)).toBe(false);
  vi.advanceTimersByTime(1_001);
  expect(await isLetIn(here)).toBe(false);
});

it("a process decrypts the credentials of a pay tool once a second, and at once if it sets new credentials", async () => {
  const { here, there, appId, counting } = await twoProcesses();
  const { payChannel, credentials, accountId, walletAppId, appEnv, appName, appPackageName, appSignature } =
    anAccount({ appId });
  const input = { payChannel, accountId, walletAppId, appEnv, appName, appPackageName, appSignature };
  const { payTool } = await expectOk(configurePayTool(there, appId, { ...input, credentials }));
  const found = await expectOk(here.payTools.current(appId, payChannel));
  expect(found?.credentials).toEqual(credentials);
  expect(await counting(async () => here.payTools.getCachedCurrent(appId, payChannel))).toBe(0);
  expect(here.payTools.getCachedCurrent(appId, payChannel)).toBe(found);
  expect(await expectOk(here.payTools.find(payTool.id))).toBe(here.payTools.getCached(payTool.id));
  const renewed = { privateKey: "new" };
  await expectOk(configurePayTool(there, appId, { ...input, credentials: renewed }));
  expect(there.payTools.getCachedCurrent(appId, payChannel)).toBeUndefined();
  expect((await expectOk(there.payTools.current(appId, payChannel)))?.credentials).toEqual(renewed);
  vi.advanceTimersByTime(1_001);
  expect(here.payTools.getCachedCurrent(appId, payChannel)).toBeUndefined();
  expect(here.payTools.getCached(payTool.id)).toBeUndefined();
});
