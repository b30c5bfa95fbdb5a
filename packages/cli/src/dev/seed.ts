import { isDeepStrictEqual } from "node:util";
import {
  authenticateCaller,
  configurePayTool,
  type ConfigurePayToolInput,
  createApp,
  createDownloadsClient,
  createServiceType,
  type Ports,
} from "@tillkit/core";
import { rotateSecret } from "@tillkit/core/operators";
import type { HostFacts } from "./host-file.js";
import { keepDemoCounts } from "./keep-demo-counts.js";
import { unwrapOrExit } from "./unwrap-or-exit.js";
import { SCHEMA, type Storage } from "./open-storage.js";

const DAY = 86_400_000;
/** The name of the app with the history of a demo shop. */
const HISTORY_APP = "Shop history";

/** The facts that seeding creates: the facts of a host except its addresses. */
export type SeededFacts = Omit<HostFacts, "baseUrl" | "metricsBaseUrl" | "sandbox" | "dashboard">;

type Script = Pick<Storage["sql"], "script">;

/** The credentials of a caller. */
interface AppCredentials {
  readonly appId: string;
  readonly appSecret: string;
}

/**
 * Creates the missing demo data. Keeps changes by operators, except changes of pay tools.
 *
 * A pay tool whose settings differ from `payTools` gets these settings again. Throws if a step
 * fails, because a host needs its data to start.
 *
 * The data are three apps with pay tools for both channels. The first app also has a service type
 * of 30 days, 400 days of download counts and two clients. The app of a third client does not
 * exist.
 *
 * `payTools` holds the credentials at the wallets. The secrets of `before` stay if they still
 * authenticate; otherwise the app gets a new secret.
 */
export async function seed(
  ports: Ports,
  { sql }: { readonly sql: Script },
  payTools: readonly ConfigurePayToolInput[],
  before: SeededFacts | undefined,
): Promise<SeededFacts> {
  const appOf = (name: string, accountBased: boolean, stored: AppCredentials | undefined) =>
    seedApp(ports, { name, accountBased }, payTools, stored);
  const demo = await appOf("Demo", true, before);
  const second = await appOf(
    "Second demo",
    true,
    before && {
      appId: before.secondAppId,
      appSecret: before.secondAppSecret,
    },
  );
  const device = await appOf(
    "Device demo",
    false,
    before && {
      appId: before.deviceAppId,
      appSecret: before.deviceAppSecret,
    },
  );

  const month = { serviceTypeNo: "svt_month", serviceName: "Membership", durationMs: 30 * DAY };
  // Keeps an existing service type or client, because an operator may have changed it.
  const type = unwrapOrExit("service type", await ports.serviceTypes.find(demo.appId, month.serviceTypeNo));
  if (type === undefined) unwrapOrExit("service type", await createServiceType(ports, demo.appId, month));
  unwrapOrExit("download counts", await keepDemoCounts(ports, demo.appId));
  const clientOf = async (clientId: string, appId: string, dailyLimit: number) => {
    const client = unwrapOrExit("downloads client", await ports.downloadsClients.find(clientId));
    if (client === undefined)
      unwrapOrExit("downloads client", await createDownloadsClient(ports, { clientId, appId, dailyLimit }));
    return clientId;
  };

  return {
    ...demo,
    downloadsClientId: await clientOf("dlc_demo_reports", demo.appId, 10_000),
    secondAppId: second.appId,
    secondAppSecret: second.appSecret,
    deviceAppId: device.appId,
    deviceAppSecret: device.appSecret,
    limitedDownloadsClientId: await clientOf("dlc_limited_reports", demo.appId, 3),
    orphanDownloadsClientId: await orphan(sql, ports.clock.now()),
    serviceTypeNo: month.serviceTypeNo,
  };
}

/**
 * Creates a client whose app does not exist, as if the app had been deleted from the database.
 *
 * No Tillkit function deletes an app, or creates a client without an app.
 */
async function orphan(sql: Script, now: number): Promise<string> {
  const clientId = "dlc_orphan";
  await sql.script(
    `insert into ${SCHEMA}.downloads_clients (client_id, app_id, daily_limit, created_ms)
     values ('${clientId}', 'app_that_was_removed', 10000, ${String(now)}) on conflict do nothing`,
  );
  return clientId;
}

/**
 * Creates the app of the demo shop with a history, and returns its id.
 *
 * No caller uses this app, so its secret is not stored.
 */
export async function seedHistoryApp(
  ports: Ports,
  payTools: readonly ConfigurePayToolInput[],
): Promise<string> {
  const known = unwrapOrExit("apps", await ports.apps.list()).find(({ name }) => name === HISTORY_APP);
  if (known !== undefined) return known.appId;
  return (await seedApp(ports, { name: HISTORY_APP, accountBased: true }, payTools, undefined)).appId;
}

async function seedApp(
  ports: Ports,
  terms: { readonly name: string; readonly accountBased: boolean },
  payTools: readonly ConfigurePayToolInput[],
  stored: AppCredentials | undefined,
): Promise<AppCredentials> {
  const { appId, appSecret } = await openedApp(ports, terms, stored);
  for (const payTool of payTools) {
    if (await isConfigured(ports, appId, payTool)) continue;
    const { problems } = unwrapOrExit("pay tool", await configurePayTool(ports, appId, payTool));
    if (problems.length > 0) throw new Error(`pay tool of ${payTool.payChannel}: ${problems.join("; ")}`);
  }
  return { appId, appSecret };
}

/** Returns whether the app's pay tool has these settings already, and worked with them. */
async function isConfigured(ports: Ports, appId: string, wanted: ConfigurePayToolInput): Promise<boolean> {
  const stored = unwrapOrExit("pay tool", await ports.payTools.current(appId, wanted.payChannel));
  return stored?.signStatus === "OK" && isDeepStrictEqual({ ...stored, ...wanted }, stored);
}

/** Returns the app with a working secret: the stored one, or a new one. */
async function openedApp(
  ports: Ports,
  terms: { readonly name: string; readonly accountBased: boolean },
  stored: AppCredentials | undefined,
): Promise<AppCredentials> {
  if (stored !== undefined && (await authenticateCaller(ports, stored)).isOk()) return stored;
  const known = unwrapOrExit("apps", await ports.apps.list()).find(({ name }) => name === terms.name);
  // The previous secret stays valid for a day, in case only its file was lost.
  const { app, appSecret } = unwrapOrExit(
    "app",
    await (known === undefined ? createApp(ports, terms) : rotateSecret(ports, known.appId, DAY)),
  );
  return { appId: app.appId, appSecret };
}
