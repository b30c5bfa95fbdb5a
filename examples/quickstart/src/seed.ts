import {
  businessDay,
  configurePayTool,
  type ConfigurePayToolInput,
  createApp,
  createDownloadsClient,
  createServiceType,
  type Ports,
} from "@tillkit/core";
import { demoCounts } from "./demo-counts.js";
import type { HostFacts } from "./host-file.js";
import { must } from "./must.js";

const DAY = 86_400_000;

/** What seeding makes known: the facts of a host beside its addresses. */
export type SeededFacts = Omit<HostFacts, "baseUrl" | "metricsBaseUrl" | "sandbox">;

/**
 * Makes the demo data: three apps with pay tools for both channels, and for the first a service type of 30 days, 400 days of download counts and three clients.
 * `payTools` are the credentials at the wallets. Throws when a step fails: a host without its data should not start.
 */
export async function seed(ports: Ports, payTools: readonly ConfigurePayToolInput[]): Promise<SeededFacts> {
  const demo = await seedApp(ports, "Demo", true, payTools);
  const second = await seedApp(ports, "Second demo", true, payTools);
  const device = await seedApp(ports, "Device demo", false, payTools);

  const month = { serviceName: "Membership", durationMs: 30 * DAY };
  const serviceType = must("service type", await createServiceType(ports, demo.appId, month));

  const { date: today } = businessDay(ports.policy.timeZone, ports.clock.now());
  must("download counts", await ports.downloads.upsert([demoCounts(demo.appId, today, 400)]));
  const clientOf = async (appId: string, dailyLimit: number) =>
    must("downloads client", await createDownloadsClient(ports, { appId, dailyLimit })).clientId;

  return {
    ...demo,
    downloadsClientId: await clientOf(demo.appId, 10_000),
    secondAppId: second.appId,
    secondAppSecret: second.appSecret,
    deviceAppId: device.appId,
    deviceAppSecret: device.appSecret,
    limitedDownloadsClientId: await clientOf(demo.appId, 3),
    orphanDownloadsClientId: await clientOf("app_that_was_removed", 10_000),
    serviceTypeNo: serviceType.serviceTypeNo,
  };
}

async function seedApp(
  ports: Ports,
  name: string,
  accountBased: boolean,
  payTools: readonly ConfigurePayToolInput[],
): Promise<{ readonly appId: string; readonly appSecret: string }> {
  const { app, appSecret } = must("app", await createApp(ports, { name, accountBased }));
  for (const payTool of payTools) {
    const { problems } = must("pay tool", await configurePayTool(ports, app.appId, payTool));
    if (problems.length > 0) throw new Error(`pay tool of ${payTool.payChannel}: ${problems.join("; ")}`);
  }
  return { appId: app.appId, appSecret };
}
