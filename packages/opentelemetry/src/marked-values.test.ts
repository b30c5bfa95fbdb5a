import {
  createApp,
  orThrow,
  parseInput,
  PAY_CHANNELS,
  type Ports,
  refundOrder,
  refundOrderInput,
  type ServiceEvent,
  type Stores,
  type Wallet,
  type WalletFailure,
} from "@tillkit/core";
import {
  headersIn,
  type HttpRequest,
  isStream,
  limitedSurfaces,
  metricsRoutes,
  paymentsRoutes,
  type Surfaces,
} from "@tillkit/core/http";
import { closeOrder, closeOrderInput } from "@tillkit/core/operators";
import { aShop, memoryPorts } from "@tillkit/memory";
import { errAsync, okAsync } from "neverthrow";
import { afterEach, beforeEach, expect, it } from "vitest";
import { instrumentSurface } from "./instrument-surface.js";
import { metricsObserver } from "./metrics-observer.js";
import { installTelemetry, removeTelemetry, type Telemetry } from "./testing/telemetry.js";
import { tracePorts } from "./trace-ports.js";

let telemetry: Telemetry;
beforeEach(() => {
  telemetry = installTelemetry();
});
afterEach(removeTelemetry);

/** The values that must not leave a host, except in a reply that returns them to their owner. */
const FIELDS = {
  customerIdentity: "MARK-identity",
  customerName: "MARK-name",
  attachData: "MARK-attach",
  goodsTitle: "MARK-title",
  mobileNo: "13800138000",
  authCode: "MARK-code",
  token: "MARK-token",
  payerId: "MARK-payer",
  clientId: "MARK-client",
} as const;
const CAUSE = "MARK-cause of 13800138000";
const MARKS = /MARK-|1?3800138000/;

/** Every HTTP endpoint, and paths and methods that no route has. */
const ENDPOINTS: readonly (readonly [keyof Surfaces, string, string])[] = [
  ...paymentsRoutes.map(({ method, path }) => ["payments", method, path] as const),
  ...metricsRoutes.map(({ method, path }) => ["metrics", method, path] as const),
  ["payments", "GET", "/MARK-identity"],
  ["payments", "MARK-method", "/order.json"],
  ["metrics", "GET", "/MARK-identity"],
  ...["WALLET_A", "WALLET_B", "MARK-channel"].map(
    (channel) => ["notifications", "POST", `/notify/${channel}/MARK-tool/MARK-order`] as const,
  ),
  ["notifications", "GET", "/return/MARK-identity"],
];

/** A store that fails with a text that contains personal data. */
function failing<S extends object>(store: S): S {
  return new Proxy(store, {
    get: (target, name, receiver) => {
      const method: unknown = Reflect.get(target, name, receiver);
      if (typeof method !== "function") return method;
      if (String(name).startsWith("getCached")) return () => undefined;
      return () => errAsync({ name: "storage.unavailable", cause: new Error(CAUSE) });
    },
  });
}

/** Creates a host in memory, and a caller that sends marked values to an endpoint. */
async function aHost(breakStores: (ports: Ports) => Partial<Stores> = () => ({})) {
  const events: ServiceEvent[] = [];
  const count = metricsObserver();
  const observer = {
    onEvent: (event: ServiceEvent) => {
      events.push(event);
      count.onEvent(event);
    },
  };
  const memory = memoryPorts();
  const { app, appSecret } = await orThrow(createApp(memory, { name: "Notes" }));
  const ports = { ...memory, ...breakStores(memory), observer };
  const surfaces = limitedSurfaces(tracePorts(ports));
  const send = async (
    [surface, method, path]: (typeof ENDPOINTS)[number],
    secret: string,
    fields: Readonly<Record<string, unknown>>,
  ): Promise<void> => {
    const query = new URLSearchParams(
      Object.entries(fields).map(([name, value]): [string, string] => [name, String(value)]),
    );
    const request: HttpRequest = {
      method,
      path: path.replace(/\{[^}]*\}/g, FIELDS.customerIdentity),
      query: query.toString(),
      headers: headersIn({
        app_id: app.appId,
        app_secret: secret,
        "content-type": "application/json",
        cookie: "session=MARK-cookie",
        authorization: "Bearer MARK-bearer",
        "user-agent": "MARK-agent",
      }),
      body: new TextEncoder().encode(JSON.stringify(fields)),
    };
    const reply = await instrumentSurface(surfaces[surface]).handle(request);
    // An error repeats no value. A success may return an order to its owner.
    if (!isStream(reply.body) && reply.status >= 400) expect(reply.body).not.toMatch(MARKS);
  };
  return { send, events, appSecret };
}

/** Returns what telemetry and observers received, as text, without the causes of errors. */
async function recorded(events: readonly ServiceEvent[]): Promise<string> {
  const spans = telemetry.spans().map(({ name, attributes, events: of, status, links }) => ({
    name,
    attributes,
    status,
    links,
    events: of,
  }));
  const shown = events.map((event) =>
    JSON.stringify(event, (name, value: unknown) => (name === "cause" ? undefined : value)),
  );
  return JSON.stringify([spans, await telemetry.metrics(), shown]);
}

const TERMS = { ...FIELDS, bizNo: "b-1", amount: 600, payChannel: "WALLET_A" };
const WRONG = { ...FIELDS, bizNo: "MARK-biz\u0000", amount: "MARK-amount", payChannel: "MARK-channel" };

it.each(ENDPOINTS)("shows no marked value: %s %s %s", async (...endpoint) => {
  for (const breakStores of [
    () => ({}),
    ({ apps, orders, sessions, codes, quotas, services, downloads }: Ports) => ({
      apps: failing(apps),
      orders: failing(orders),
      sessions: failing(sessions),
      codes: failing(codes),
      quotas: failing(quotas),
      services: failing(services),
      downloads: failing(downloads),
    }),
    ({ orders, sessions, codes, quotas, services, downloads }: Ports) => ({
      orders: failing(orders),
      sessions: failing(sessions),
      codes: failing(codes),
      quotas: failing(quotas),
      services: failing(services),
      downloads: failing(downloads),
    }),
  ]) {
    const { send, events, appSecret } = await aHost(breakStores);
    for (const fields of [TERMS, WRONG, {}])
      for (const secret of [appSecret, "MARK-secret"]) await send(endpoint, secret, fields);
    const text = await recorded(events);
    expect(text).not.toMatch(MARKS);
    expect(text).not.toContain(appSecret);
    expect(telemetry.spans().length).toBeGreaterThan(0);
  }
});

const REFUSALS: readonly WalletFailure[] = [
  { name: "wallet.rejected", reason: "other", trusted: true, detail: CAUSE },
  { name: "wallet.rejected", reason: "absent", trusted: false, detail: CAUSE },
  { name: "wallet.rejected", reason: "funds", trusted: true, detail: CAUSE },
  { name: "wallet.unknown", cause: "unverified", detail: CAUSE },
];
const CALLS: ReadonlySet<unknown> = new Set<keyof Wallet>([
  ...(["prepare", "query", "close", "refund", "queryRefund", "readNotification"] as const),
]);

/** A wallet that refuses every call for the same reason, and knows no refund if `isAbsent`. */
function refusing(wallet: Wallet, failure: WalletFailure, isAbsent = false): Wallet {
  return new Proxy(wallet, {
    get: (target, name, receiver): unknown => {
      if (isAbsent && name === "queryRefund") return () => okAsync(undefined);
      return CALLS.has(name) ? () => errAsync(failure) : Reflect.get(target, name, receiver);
    },
  });
}

it.each(PAY_CHANNELS.flatMap((channel) => REFUSALS.map((failure) => ({ channel, failure }))))(
  "shows no text of a refusal: $channel $failure",
  async ({ channel: payChannel, failure }) => {
    const shop = await aShop();
    const { appId } = shop.app;
    const { order: paid } = await shop.placeOrder({ bizNo: "paid", payChannel });
    await shop.wallets[payChannel].notify(paid);
    const { order: other } = await shop.placeOrder({ bizNo: "paid-2", payChannel });
    await shop.wallets[payChannel].notify(other);
    await shop.placeOrder({ bizNo: "open", payChannel });
    // The next query of an order is due.
    shop.advance(60_000);
    const events: ServiceEvent[] = [];
    const count = metricsObserver();
    const onEvent = (event: ServiceEvent) => {
      events.push(event);
      count.onEvent(event);
    };
    const { WALLET_A, WALLET_B } = shop.wallets;
    const portsWith = (isAbsent: boolean) =>
      tracePorts({
        ...shop.ports,
        wallets: {
          WALLET_A: refusing(WALLET_A, failure, isAbsent),
          WALLET_B: refusing(WALLET_B, failure, isAbsent),
        },
        observer: { onEvent },
      });
    const ports = portsWith(false);
    const surfaces = limitedSurfaces(ports);
    const headers = headersIn({
      app_id: appId,
      app_secret: shop.appSecret,
      "content-type": "application/json",
    });
    const terms = {
      bizNo: "new",
      amount: 600,
      goodsTitle: "Month",
      payChannel,
      customerIdentity: "customer-1",
    };
    for (const [surface, method, path, query] of [
      ["payments", "POST", "/order.json", ""],
      ["payments", "GET", "/detail.json", "bizNo=open&customerIdentity=customer-1"],
      ["notifications", "POST", paid.notifyUrl.slice(ports.notificationsUrl.length), ""],
    ] as const) {
      const body = new TextEncoder().encode(JSON.stringify(terms));
      const request = { method, path, query, headers, body };
      const reply = await instrumentSurface(surfaces[surface]).handle(request);
      expect(JSON.stringify(reply)).not.toMatch(MARKS);
    }
    const by = { reason: "test", operator: "kim" };
    const refund = (isAbsent: boolean, bizNo: string) => {
      const input = { bizNo, refundNo: "r-1", amount: 100, ...by };
      const parsed = orThrow(parseInput(refundOrderInput(ports.policy), input));
      return refundOrder(portsWith(isAbsent), appId, parsed);
    };
    // A refund is sent only if a query finds that the wallet does not have it.
    const refunded = [await refund(false, "paid"), await refund(true, "paid-2")];
    const closed = await closeOrder(
      ports,
      appId,
      orThrow(parseInput(closeOrderInput(ports.policy), { bizNo: "open", ...by })),
    );
    expect(JSON.stringify([refunded, closed])).not.toMatch(MARKS);
    // The wallet's text about a refusal is for the log, without phone numbers of customers.
    const said = events.flatMap((event) => ("detail" in event ? [event.detail] : []));
    expect(new Set(said)).toEqual(new Set(["MARK-cause of …"]));
    const refundNos = events.flatMap((event) => ("refundNo" in event ? (event.refundNo ?? []) : []));
    expect(new Set(refundNos)).toEqual(new Set(["r-1"]));
    const silent = events.map((event) => ("detail" in event ? { ...event, detail: "" } : event));
    expect(await recorded(silent)).not.toMatch(MARKS);
    const called = events.flatMap((event) => (event.type === "wallet.called" ? [event.call] : []));
    // Alipay prepares an order without a call.
    const expected = [...(payChannel === "WALLET_A" ? ["prepare"] : []), "query", "close", "refund"];
    expect(expected.filter((call) => !called.some((one) => one === call))).toEqual([]);
    await shop.end();
  },
);
