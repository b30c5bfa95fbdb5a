import type { PayToolCredentialExpiry } from "@tillkit/core";
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from "prom-client";

/** In seconds. A wallet may take five. */
const BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/**
 * The metrics of a host.
 *
 * Labels come only from closed lists: route tables, the error catalog and the types of core.
 */
export type Metrics = ReturnType<typeof openMetrics>;

/** Opens the metrics of one host in their own registry, with those of the Node process. */
export function openMetrics() {
  const register = new Registry();
  collectDefaultMetrics({ register });
  const counter = <T extends string>(name: string, help: string, labelNames: readonly T[]) =>
    new Counter<T>({ name: `tillkit_${name}`, help, labelNames, registers: [register] });
  const histogram = <T extends string>(name: string, help: string, labelNames: readonly T[]) =>
    new Histogram<T>({ name: `tillkit_${name}`, help, labelNames, buckets: BUCKETS, registers: [register] });
  return {
    register,
    requests: counter(
      "requests_total",
      "Answered requests. The label code is the code of the response body, if it has one.",
      ["method", "route", "code", "status"],
    ),
    requestSeconds: histogram("request_duration_seconds", "Duration of requests in seconds.", [
      "method",
      "route",
    ]),
    refusedRequests: counter("requests_refused_total", "Requests that the concurrency limits refused.", [
      "surface",
    ]),
    transitions: counter("order_transitions_total", "Changes of order statuses.", ["from", "to"]),
    refunds: counter("refunds_total", "Refunds that were created or changed their status.", ["to"]),
    refundedCents: counter("refunded_cents_total", "Cents of confirmed refunds.", []),
    walletSeconds: histogram("wallet_call_duration_seconds", "Duration of calls to wallets in seconds.", [
      "channel",
      "method",
      "outcome",
    ]),
    refusedNotifications: counter(
      "notifications_refused_total",
      "Notifications of wallets that the host refused.",
      ["channel", "reason"],
    ),
    alarms: counter("alarms_total", "Events after which a person must look at an order.", ["event"]),
    expiringCredentials: counter(
      "credentials_expiring_total",
      "Warnings that a certificate or key of a pay tool expires soon, one per check.",
      ["channel", "credential"],
    ),
    credentialExpiresAt: new Gauge({
      name: "tillkit_credential_expiry_timestamp_seconds",
      help: "Expiry time of the certificate or key of this kind that expires first, over all pay tools.",
      labelNames: ["channel", "credential"],
      registers: [register],
    }),
    taskSteps: counter("task_steps_total", "Steps of the background tasks.", ["task", "outcome"]),
    taskSucceededAt: new Gauge({
      name: "tillkit_task_last_success_timestamp_seconds",
      help: "When a background task last succeeded.",
      labelNames: ["task"],
      registers: [register],
    }),
  };
}

/** Sets the expiry metric to the earliest expiry of each kind of pay tool credential. */
export function showExpiries(
  { credentialExpiresAt }: Pick<Metrics, "credentialExpiresAt">,
  expiries: readonly PayToolCredentialExpiry[],
): void {
  credentialExpiresAt.reset();
  // Sets the earliest expiry last, so that it remains.
  for (const { payChannel: channel, name: credential, expiresAt } of expiries.toReversed())
    credentialExpiresAt.set({ channel, credential }, expiresAt / 1_000);
}

/** Reports at each collection how the connections of a `pg` pool are used. */
export function watchPool(
  { register }: Pick<Metrics, "register">,
  pool: { readonly totalCount: number; readonly idleCount: number; readonly waitingCount: number },
): void {
  new Gauge({
    name: "tillkit_pool_connections",
    help: "Connections by state: open, idle, or waiting for a connection.",
    labelNames: ["state"],
    registers: [register],
    collect() {
      this.set({ state: "total" }, pool.totalCount);
      this.set({ state: "idle" }, pool.idleCount);
      this.set({ state: "waiting" }, pool.waitingCount);
    },
  });
}
