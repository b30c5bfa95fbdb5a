import { aCount, aFoundException, anAccount, expectOk } from "@tillkit/contract-tests";
import {
  configurePayTool,
  createApp,
  createDownloadsClient,
  createServiceType,
  orThrow,
  parseInput,
  registerApp,
} from "@tillkit/core";
import {
  changeCounts,
  changePayTool,
  changeStores,
  disableApp,
  disableDownloadsClient,
  enableApp,
  enableDownloadsClient,
  resolveBillException,
  resolveBillExceptionInput,
  renameServiceType,
  restoreServiceType,
  retireServiceType,
  rotateDownloadsClient,
  rotateSecret,
  setAppRules,
  setDownloadsClientLimit,
} from "@tillkit/core/operators";
import type { DayCounts, DownloadsClient, StoreChange } from "@tillkit/core/ports";
import type { ResultAsync } from "neverthrow";
import { expect, it } from "vitest";
import { memoryPorts } from "../ports/memory-ports.js";

const BY = { operator: "han", reason: "asked by the shop", from: "cli", traceId: "" };

async function aShop() {
  const ports = memoryPorts();
  const { app } = await expectOk(createApp(ports, { name: "Notes" }));
  const lastEntry = async () => {
    const [event] = (await expectOk(ports.auditLog.search({ limit: 1 }))).items;
    return event;
  };
  return { ports, appId: app.appId, lastEntry };
}

type Shop = Awaited<ReturnType<typeof aShop>>;

const { appId: _own, id: _id, signStatus: _checked, ...PAY_TOOL } = anAccount();
const MONTH = { serviceName: "Month", durationMs: 1, serviceTypeNo: "month" };
const EXCEPTION = aFoundException();

type Command = (shop: Shop, by: typeof BY | undefined) => Promise<{ readonly subject: string }>;

/** Returns a command that changes a downloads client. */
function ofClient<F extends { readonly name: string }>(
  change: (
    ports: Shop["ports"],
    clientId: string,
    by: typeof BY | undefined,
  ) => ResultAsync<DownloadsClient, F>,
): Command {
  return async ({ ports, appId }, by) => {
    const clientId = "reader-of-reports";
    await expectOk(createDownloadsClient(ports, { appId, dailyLimit: 10, clientId }));
    await expectOk(change(ports, clientId, by));
    return { subject: `downloads-client:${clientId}` };
  };
}

/** Returns a command that changes the registry of stores. */
function ofStores(change: StoreChange): Command {
  return async ({ ports, appId }, by) => {
    await expectOk(
      ports.downloads.upsert([["store_01", "store_02"].map((store) => aCount({ appId, store }))]),
    );
    await expectOk(changeStores(ports, change, by));
    return { subject: `store:${change.store}` };
  };
}

/** Returns a command that changes the counts of a day. */
function ofDays(next: DayCounts | "delete"): Command {
  return async ({ ports, appId }, by) => {
    const { store, date } = aCount();
    await expectOk(ports.downloads.upsert([[aCount({ appId })]]));
    await expectOk(changeCounts(ports, { appId, store, from: date, until: date }, next, by));
    return { subject: `downloads:${appId}` };
  };
}

const COMMANDS: Readonly<Record<string, Command>> = {
  "app.create": async ({ ports }, by) => {
    const { app } = await expectOk(createApp(ports, { name: "Kiosk" }, by));
    return { subject: `app:${app.appId}` };
  },
  "app.create (register)": async ({ ports }, by) => {
    await expectOk(registerApp(ports, { name: "Kiosk", appId: "10086", appSecret: "the-old-secret" }, by));
    return { subject: "app:10086" };
  },
  "app.rotate-secret": async ({ ports, appId }, by) => {
    await expectOk(rotateSecret(ports, appId, 0, by));
    return { subject: `app:${appId}` };
  },
  "app.rules": async ({ ports, appId }, by) => {
    await expectOk(setAppRules(ports, appId, { accountBased: false }, by));
    return { subject: `app:${appId}` };
  },
  "app.disable": async ({ ports, appId }, by) => {
    await expectOk(disableApp(ports, appId, by));
    return { subject: `app:${appId}` };
  },
  "app.enable": async ({ ports, appId }, by) => {
    await expectOk(enableApp(ports, appId, by));
    return { subject: `app:${appId}` };
  },
  "pay-tool.set": async ({ ports, appId }, by) => {
    await expectOk(configurePayTool(ports, appId, PAY_TOOL, by));
    return { subject: `pay-tool:${appId}/WALLET_A` };
  },
  "pay-tool.change": async ({ ports, appId }, by) => {
    const { payTool } = await expectOk(configurePayTool(ports, appId, PAY_TOOL));
    await expectOk(changePayTool(ports, payTool.id, { appName: "Other" }, by));
    return { subject: `pay-tool:${payTool.id}` };
  },
  "service-type.create": async ({ ports, appId }, by) => {
    await expectOk(createServiceType(ports, appId, MONTH, by));
    return { subject: `service-type:${appId}/month` };
  },
  "service-type.rename": async ({ ports, appId }, by) => {
    await expectOk(createServiceType(ports, appId, MONTH));
    await expectOk(renameServiceType(ports, appId, "month", "Thirty days", by));
    return { subject: `service-type:${appId}/month` };
  },
  "service-type.retire": async ({ ports, appId }, by) => {
    await expectOk(createServiceType(ports, appId, MONTH));
    await expectOk(retireServiceType(ports, appId, "month", by));
    return { subject: `service-type:${appId}/month` };
  },
  "service-type.restore": async ({ ports, appId }, by) => {
    await expectOk(createServiceType(ports, appId, MONTH));
    await expectOk(retireServiceType(ports, appId, "month"));
    await expectOk(restoreServiceType(ports, appId, "month", by));
    return { subject: `service-type:${appId}/month` };
  },
  "downloads-client.create": async ({ ports, appId }, by) => {
    await expectOk(
      createDownloadsClient(ports, { appId, dailyLimit: 10, clientId: "reader-of-reports" }, by),
    );
    return { subject: "downloads-client:reader-of-reports" };
  },
  "downloads-client.limit": ofClient((ports, id, by) => setDownloadsClientLimit(ports, id, 5, by)),
  "downloads-client.disable": ofClient(disableDownloadsClient),
  "downloads-client.enable": ofClient(enableDownloadsClient),
  "downloads-client.rotate": ofClient((ports, clientId, by) =>
    rotateDownloadsClient(ports, { clientId, overlap: 0 }, by),
  ),
  "store.add": ofStores({ kind: "add", store: "new" }),
  "store.alias": ofStores({ kind: "alias", store: "store_01", alias: "other" }),
  "store.rename": ofStores({ kind: "rename", store: "store_01", to: "other" }),
  "store.merge": ofStores({ kind: "merge", store: "store_01", into: "store_02", days: "sum" }),
  "downloads.set": ofDays({ newDownloads: 8, updateDownloads: 9 }),
  "downloads.delete": ofDays("delete"),
  "bill-exception.resolve": async ({ ports }, by) => {
    await expectOk(ports.billExceptions.report([EXCEPTION]));
    const resolution = { id: EXCEPTION.id, operator: BY.operator, note: BY.reason };
    const input = orThrow(parseInput(resolveBillExceptionInput(), resolution));
    await expectOk(resolveBillException(ports, input, by));
    return { subject: `bill-exception:${EXCEPTION.id}` };
  },
};

it.each(Object.entries(COMMANDS))("%s is in the audit log, with operator and reason", async (name, run) => {
  const shop = await aShop();
  const { subject } = await run(shop, BY);
  const [action] = name.split(" ");
  expect(await shop.lastEntry()).toMatchObject({ ...BY, action, subject, outcome: "done", seq: 1 });
});

it.each(Object.entries(COMMANDS))("%s is not audited without an operator", async (_, run) => {
  const shop = await aShop();
  await run(shop, undefined);
  expect(await shop.lastEntry()).toBeUndefined();
});

it("contains no secret of an app, and no credentials of a pay tool", async () => {
  const { ports, appId } = await aShop();
  const { appSecret } = await expectOk(createApp(ports, { name: "Kiosk" }, BY));
  const rotated = await expectOk(rotateSecret(ports, appId, 0, BY));
  await expectOk(configurePayTool(ports, appId, { ...PAY_TOOL, credentials: { key: "s3cret-key" } }, BY));
  const log = JSON.stringify(await expectOk(ports.auditLog.read(0, 10)));
  for (const secret of [appSecret, rotated.appSecret, "s3cret-key"]) expect(log).not.toContain(secret);
});

it("a change of rules and names keeps the previous values", async () => {
  const { ports, appId, lastEntry } = await aShop();
  const detailOf = async (): Promise<unknown> => JSON.parse((await lastEntry())?.detail ?? "{}");
  await expectOk(setAppRules(ports, appId, { accountBased: false }, BY));
  expect(await detailOf()).toMatchObject({ accountBased: false, before: { accountBased: true } });
  await expectOk(createServiceType(ports, appId, MONTH));
  await expectOk(renameServiceType(ports, appId, "month", "Thirty days", BY));
  expect(await detailOf()).toEqual({
    serviceName: "Thirty days",
    before: { serviceName: MONTH.serviceName },
  });
});
