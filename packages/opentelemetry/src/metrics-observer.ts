import { type Meter, metrics } from "@opentelemetry/api";
import type { Observer, ServiceEvent } from "@tillkit/core";
import { appRefusalCounter } from "./count-app-refusals.js";
import { COUNTED_FROM_ZERO, type Labels, OUTCOMES } from "./counted-from-zero.js";
import { DELAY_BUCKETS, DURATION_BUCKETS } from "./duration-buckets.js";
import { SCOPE } from "./scope.js";

type ClockMeasured = Extract<ServiceEvent, { readonly type: "clock.measured" }>;

/** The options of {@link metricsObserver}. */
export interface MetricsOptions {
  /** Defaults to the global meter provider's meter of this package. */
  readonly meter?: Meter;
}

/**
 * Creates an observer that counts events.
 *
 * Attributes come only from closed lists: the types of `@tillkit/core`, the names of wallet
 * credentials, and the names of the host's tasks, event handlers and alert channels. Refusals also
 * name the app, if it exists. Attributes contain no other ids and no personal data. Amounts are
 * cents, and times are seconds.
 *
 * @returns the observer, for the option `observer` of a host.
 * @example
 * ```ts
 * import { metricsObserver } from "@tillkit/opentelemetry";
 *
 * const counted = { ...ports, observer: metricsObserver() };
 * ```
 */
export function metricsObserver({ meter = metrics.getMeter(SCOPE) }: MetricsOptions = {}): Observer {
  const instruments = instrumentsOf(meter);
  return { onEvent: (event) => record(instruments, event) };
}

type Instruments = ReturnType<typeof instrumentsOf>;

function instrumentsOf(meter: Meter) {
  const counter = (name: string, description: string) => {
    const created = meter.createCounter(`tillkit.${name}`, { description });
    for (const labels of COUNTED_FROM_ZERO[name] ?? []) created.add(0, labels);
    return created;
  };
  /** Counts by outcome. The first event of a name creates its other outcomes with 0. */
  const outcomes = (name: keyof typeof OUTCOMES, description: string) => {
    const created = meter.createCounter(`tillkit.${name}`, { description });
    const known = new Set<string>();
    return (names: Labels, outcome: string): void => {
      const key = JSON.stringify(names);
      if (!known.has(key)) for (const one of OUTCOMES[name]) created.add(0, { ...names, outcome: one });
      known.add(key);
      created.add(1, { ...names, outcome });
    };
  };
  const succeededAt = new Map<string, number>();
  meter
    .createObservableGauge("tillkit.task.last_success.timestamp", {
      description: "When a background task last succeeded.",
      unit: "s",
    })
    .addCallback((result) => {
      for (const [task, at] of succeededAt) result.observe(at / 1_000, { task });
    });
  const skews = new Map<string, ClockMeasured>();
  meter
    .createObservableGauge("tillkit.clock.skew", {
      description: "How far the host's clock is ahead of the wallet's clock, by the last response.",
      unit: "s",
    })
    .addCallback((result) => {
      for (const { payChannel: channel, appEnv: env, skewMs } of skews.values())
        result.observe(skewMs / 1_000, { channel, env });
    });
  return {
    failedRequests: counter(
      "request.failures",
      "Failures of payments and sessions requests, by name. Failures may share a code.",
    ),
    countAppRefusal: appRefusalCounter(meter),
    refusedRequests: counter("requests.refused", "Requests that got no concurrency slot."),
    transitions: counter("order.transitions", "Orders that changed their status."),
    refunds: counter("refunds", "Refunds that were stored or changed their status."),
    refundedCents: counter("refunded.cents", "Cents of confirmed refunds."),
    alarms: counter("alarms", "Events after which a person must look at an order."),
    countEvent: outcomes("events", "Attempts to deliver an event to a handler, by outcome."),
    payments: counter("payments", "Recorded payments, by how the wallet stated them."),
    paymentSeconds: meter.createHistogram("tillkit.payment.delay", {
      description: "From a payment, by the wallet's clock, to its record.",
      unit: "s",
      advice: { explicitBucketBoundaries: DELAY_BUCKETS },
    }),
    acceptedNotifications: counter("notifications.accepted", "Notifications that Tillkit applied."),
    failedNotifications: counter(
      "notifications.failed",
      "Notifications that a failure of the storage stopped.",
    ),
    refusedNotifications: counter("notifications.refused", "Notifications that Tillkit rejected."),
    bills: counter("bills", "Daily bills, by whether Tillkit could read and compare them."),
    smsSeconds: meter.createHistogram("tillkit.sms.call.duration", {
      description: "The duration of calls to the SMS carrier.",
      unit: "s",
      advice: { explicitBucketBoundaries: DURATION_BUCKETS },
    }),
    smsLimits: counter("sms.limits", "SMS limits that were nearly reached, and then reached, by scope."),
    smsReceipts: counter("sms.receipts", "Delivery receipts of SMS carriers, by carrier and outcome."),
    countAlert: outcomes("alerts", "Messages to an alert channel, by whether it accepted them."),
    expiringCredentials: counter("credentials.expiring", "Warnings that a credential of a pay tool expires."),
    countStep: outcomes("task.steps", "Steps of the background tasks."),
    walletSeconds: meter.createHistogram("tillkit.wallet.call.duration", {
      description: "The duration of calls to wallets.",
      unit: "s",
      advice: { explicitBucketBoundaries: DURATION_BUCKETS },
    }),
    showSuccess: (task: string) => succeededAt.set(task, Date.now()),
    showSkew: (event: ClockMeasured) => skews.set(`${event.payChannel} ${event.appEnv}`, event),
  };
}

function record(instruments: Instruments, event: ServiceEvent): void {
  switch (event.type) {
    case "request.refused":
      instruments.refusedRequests.add(1, { surface: event.surface });
      return;
    case "request.answered":
      if (event.failure !== undefined) instruments.failedRequests.add(1, { failure: event.failure });
      instruments.countAppRefusal(event);
      return;
    case "order.moved":
      instruments.transitions.add(1, { from: event.from, to: event.to });
      return;
    case "order.alarm":
      instruments.alarms.add(1, { event: event.event });
      return;
    case "refund.moved":
      instruments.refunds.add(1, { to: event.to });
      if (event.to === "CONFIRMED") instruments.refundedCents.add(event.amount);
      return;
    case "event.delivered":
    case "event.failed":
    case "event.parked":
      instruments.countEvent(
        { handler: event.handler, event: event.eventType },
        event.type.slice("event.".length),
      );
      return;
    case "notification.refused":
      instruments.refusedNotifications.add(1, { channel: event.payChannel, reason: event.reason });
      return;
    case "notification.accepted":
      instruments.acceptedNotifications.add(1, { channel: event.payChannel, kind: event.kind });
      return;
    case "notification.failed":
      instruments.failedNotifications.add(1, { channel: event.payChannel });
      return;
    case "payment.recorded": {
      const { payChannel: channel, source } = event;
      instruments.payments.add(1, { channel, source });
      instruments.paymentSeconds.record(event.delayMs / 1_000, { channel, source });
      return;
    }
    case "wallet.called": {
      const { payChannel: channel, call: method, outcome, durationMs } = event;
      instruments.walletSeconds.record(durationMs / 1_000, { channel, method, outcome });
      return;
    }
    case "clock.measured":
      instruments.showSkew(event);
      return;
    case "credential.expiring":
      instruments.expiringCredentials.add(1, { channel: event.payChannel, credential: event.name });
      return;
    case "task.ran":
      instruments.countStep({ task: event.task }, event.failure === undefined ? "ok" : "failed");
      if (event.failure === undefined) instruments.showSuccess(event.task);
      return;
    case "bill.reconciled":
      instruments.bills.add(1, { channel: event.payChannel, outcome: "compared" });
      return;
    case "bill.not-compared":
      instruments.bills.add(1, {
        channel: event.payChannel,
        outcome: event.reason === "not-ready" ? "not-ready" : "not-compared",
      });
      return;
    case "sms.called":
      instruments.smsSeconds.record(event.durationMs / 1_000, { outcome: event.outcome });
      return;
    case "sms.limit-near":
      instruments.smsLimits.add(1, { scope: event.scope });
      return;
    case "sms.reported":
      instruments.smsReceipts.add(1, { carrier: event.carrier, outcome: event.outcome });
      return;
    case "alert.sent":
      instruments.countAlert({ channel: event.channel }, "sent");
      return;
    case "alert.not-sent":
      instruments.countAlert({ channel: event.channel }, event.reason);
      return;
    // Other metrics cover these events: `observeRecord` reports expiries, and `observeHost` reports
    // readiness. `task.ran` counts failed steps, and `clock.measured` sets the clock skew. A new
    // key is only in the log.
    case "clock.off":
    case "clock.right":
    case "wallet.key-trusted":
    case "host.not-ready":
    case "host.ready":
    case "credentials.checked":
    case "storage.misconfigured":
      return;
  }
}
