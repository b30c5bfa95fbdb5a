import {
  type App,
  configurePayTool,
  createApp,
  createServiceType,
  type ServiceEvent,
  PAY_CHANNELS,
  type PayChannel,
  type Policy,
  type Ports,
} from "@tillkit/core";
import {
  type ConcurrencyLimits,
  limitedSurfaces,
  metricsSurface,
  notificationsSurface,
  paymentsSurface,
  withNegotiation,
} from "@tillkit/core/http";
import { expect, onTestFinished } from "vitest";
import { DAY, unique } from "../fixtures.js";
import { expectOk, type Opened } from "../open-before-each.js";
import type { OpenBinding } from "./open-binding.js";
import { type Caller, callerAt } from "./caller.js";
import { checkedSurface, type ReplyCheck } from "./checked-surface.js";
import type { TestHost } from "./test-host.js";

/** Changes to the default service of a test. */
export interface ServiceChanges {
  readonly policy?: Partial<Policy>;
  /** Headers of every request of the callers. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Limits the concurrent requests of each surface. By default there is no limit. */
  readonly concurrency?: Partial<ConcurrencyLimits>;
  /** Replaces ports after the service was filled with data. */
  readonly ports?: (ports: Ports) => Ports;
}

/** A running service with three apps. It stops when the test ends. */
export interface Service {
  readonly host: TestHost;
  /** The ports of the surfaces: the ports of the host with the changes of the test. */
  readonly ports: Ports;
  /** Where the payments surface is mounted. */
  readonly baseUrl: string;
  readonly metricsUrl: string;
  readonly notificationsUrl: string;
  /** An account-based app with both channels and a service type. */
  readonly demo: Caller;
  /** Another app with the same configuration. */
  readonly second: Caller;
  /** An app without accounts. */
  readonly device: Caller;
  /** Creates another app. */
  readonly enroll: (enrollment: Enrollment) => Promise<Caller>;
  /** A service type of thirty days, which both `demo` and `second` have. */
  readonly serviceTypeNo: string;
  /** The events that the observer received. */
  readonly serviceEvents: readonly ServiceEvent[];
}

/** Starts a service for the running test. */
export type StartService = (changes?: ServiceChanges) => Promise<Service>;

/**
 * Creates the function that starts a service behind a binding. All tests of the suite use it.
 *
 * @param checkReply - Checks each reply in addition to the response schemas.
 */
export function serviceStarter(
  openBinding: OpenBinding,
  openHost: () => Promise<Opened<TestHost>>,
  checkReply?: ReplyCheck,
): StartService {
  return async ({ policy, headers = {}, concurrency, ports: change = unchanged } = {}) => {
    const opened = await openHost();
    onTestFinished(() => opened.close());
    const host = opened.port;
    const serviceEvents: ServiceEvent[] = [];
    const serviceTypeNo = unique("svt-");
    const demo = await withServiceType(host, await enrolled(host, {}), serviceTypeNo);
    const second = await withServiceType(host, await enrolled(host, {}), serviceTypeNo);
    const device = await enrolled(host, { accountBased: false });
    const ports = change({
      ...host,
      observer: { onEvent: (event) => void serviceEvents.push(event) },
      // Tests request several codes without a pause.
      policy: { ...host.policy, smsCooldown: 0, ...policy },
    });
    const unbounded = {
      payments: withNegotiation(ports, paymentsSurface(ports)),
      metrics: withNegotiation(ports, metricsSurface(ports)),
      notifications: notificationsSurface(ports),
    };
    const surfaces = concurrency === undefined ? unbounded : limitedSurfaces(ports, concurrency);
    const mismatches: string[] = [];
    const checked = (name: keyof typeof surfaces) =>
      checkedSurface(
        name,
        surfaces[name],
        ports.policy,
        (mismatch) => void mismatches.push(mismatch),
        checkReply,
      );
    const binding = await openBinding({
      payments: checked("payments"),
      metrics: checked("metrics"),
      notifications: checked("notifications"),
    });
    onTestFinished(() => expect(mismatches, "responses that do not match their schema").toEqual([]));
    onTestFinished(() => binding.close());
    const baseUrl = `${binding.baseUrl}/pay`;
    const caller = (credentials: { readonly appId: string; readonly appSecret: string }) =>
      callerAt(baseUrl, credentials, headers);
    return {
      host,
      ports,
      baseUrl,
      metricsUrl: binding.baseUrl,
      notificationsUrl: `${binding.baseUrl}/wallets`,
      demo: caller(demo),
      second: caller(second),
      device: caller(device),
      enroll: async (enrollment) => caller(await enrolled(host, enrollment)),
      serviceTypeNo,
      serviceEvents,
    };
  };
}

function unchanged(ports: Ports): Ports {
  return ports;
}

/** The configuration of a new app. */
export interface Enrollment {
  /** Defaults to `true`. */
  readonly accountBased?: boolean;
  /** Defaults to all checks. */
  readonly identityChecks?: App["identityChecks"];
  /** Defaults to both channels. */
  readonly payChannels?: readonly PayChannel[];
}

async function enrolled(
  host: TestHost,
  { accountBased = true, payChannels = PAY_CHANNELS, ...more }: Enrollment,
) {
  const name = unique("App ");
  const { app, appSecret } = await expectOk(createApp(host, { name, accountBased, ...more }));
  for (const payChannel of payChannels) {
    const tool = aPayToolOf(payChannel, unique("merchant-"));
    const { problems } = await expectOk(configurePayTool(host, app.appId, tool));
    if (problems.length > 0) throw new Error(`The host's wallet takes no account: ${problems.join("; ")}`);
  }
  return { appId: app.appId, appSecret };
}

async function withServiceType<T extends { readonly appId: string }>(
  host: TestHost,
  app: T,
  serviceTypeNo: string,
) {
  const type = { serviceTypeNo, serviceName: "Member", durationMs: 30 * DAY };
  await expectOk(createServiceType(host, app.appId, type));
  return app;
}

function aPayToolOf(payChannel: PayChannel, accountId: string) {
  return {
    accountId,
    walletAppId: `wallet-app-of-${accountId}`,
    payChannel,
    appEnv: "DEV",
    appName: "Demo",
    appPackageName: "com.example.demo",
    appSignature: "0123456789abcdef",
    credentials: { key: "k" },
  } as const;
}

/** Wraps `port` so that every method throws, like a failing database driver. */
export function throwingPort<T extends object>(port: T): T {
  return new Proxy(port, {
    get: () => () => {
      throw new Error("a broken port");
    },
  });
}
