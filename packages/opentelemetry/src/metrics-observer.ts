import { type Meter, metrics } from "@opentelemetry/api";
import type { Observer, PayToolCredentialExpiry, ServiceEvent } from "@tillkit/core";
import { DURATION_BUCKETS } from "./duration-buckets.js";
import { SCOPE } from "./scope.js";

/** The options of {@link metricsObserver}. */
export interface MetricsOptions {
  /** Defaults to the global meter provider's meter of this package. */
  readonly meter?: Meter;
}

/**
 * Creates an observer that counts events.
 *
 * Attributes come only from closed lists: the types of `@tillkit/core`, the names of wallet
 * credentials, and the names of the host's tasks, event handlers and alert channels. They contain
 * no ids and no personal data. Amounts are cents, and times are seconds.
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
  const counter = (name: string, description: string) =>
    meter.createCounter(`tillkit.${name}`, { description });
  let expiries: readonly PayToolCredentialExpiry[] = [];
  const shown = new Map<string, { readonly channel: string; readonly credential: string }>();
  const succeededAt = new Map<string, number>();
  meter
    .createObservableGauge("tillkit.credential.expiry.timestamp", {
      description: "When the first certificate or key of a kind expires, over all pay tools.",
      unit: "s",
    })
    .addCallback((result) => {
      // The SDK repeats the last value of a credential that no pay tool has any more.
      for (const attributes of shown.values()) result.observe(NaN, attributes);
      // The earliest expiry is observed last, so that it remains.
      for (const { payChannel: channel, name: credential, expiresAt } of expiries.toReversed())
        result.observe(expiresAt / 1_000, { channel, credential });
      for (const { payChannel: channel, name: credential } of expiries)
        shown.set(`${channel} ${credential}`, { channel, credential });
    });
  meter
    .createObservableGauge("tillkit.task.last_success.timestamp", {
      description: "When a background task last succeeded.",
      unit: "s",
    })
    .addCallback((result) => {
      for (const [task, at] of succeededAt) result.observe(at / 1_000, { task });
    });
  return {
    refusedRequests: counter("requests.refused", "Requests that got no concurrency slot."),
    transitions: counter("order.transitions", "Orders that changed their status."),
    refunds: counter("refunds", "Refunds that were stored or changed their status."),
    refundedCents: counter("refunded.cents", "Cents of confirmed refunds."),
    alarms: counter("alarms", "Events after which a person must look at an order."),
    events: counter("events", "Attempts to deliver an event to a handler, by outcome."),
    refusedNotifications: counter("notifications.refused", "Notifications that Tillkit rejected."),
    bills: counter("bills", "Daily bills, by whether Tillkit could read and compare them."),
    smsSeconds: meter.createHistogram("tillkit.sms.call.duration", {
      description: "The duration of calls to the SMS carrier.",
      unit: "s",
      advice: { explicitBucketBoundaries: DURATION_BUCKETS },
    }),
    smsLimits: counter("sms.limits", "SMS limits that were nearly reached, and then reached, by scope."),
    smsReceipts: counter("sms.receipts", "Delivery receipts of SMS carriers, by carrier and outcome."),
    alerts: counter("alerts", "Messages to an alert channel, by whether it accepted them."),
    expiringCredentials: counter("credentials.expiring", "Warnings that a credential of a pay tool expires."),
    taskSteps: counter("task.steps", "Steps of the background tasks."),
    walletSeconds: meter.createHistogram("tillkit.wallet.call.duration", {
      description: "The duration of calls to wallets.",
      unit: "s",
      advice: { explicitBucketBoundaries: DURATION_BUCKETS },
    }),
    showExpiries: (now: readonly PayToolCredentialExpiry[]) => {
      expiries = now;
    },
    showSuccess: (task: string) => succeededAt.set(task, Date.now()),
  };
}

function record(instruments: Instruments, event: ServiceEvent): void {
  switch (event.type) {
    case "request.refused":
      instruments.refusedRequests.add(1, { surface: event.surface });
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
      instruments.events.add(1, {
        handler: event.handler,
        event: event.eventType,
        outcome: event.type.slice("event.".length),
      });
      return;
    case "notification.refused":
      instruments.refusedNotifications.add(1, { channel: event.payChannel, reason: event.reason });
      return;
    case "wallet.called": {
      const { payChannel: channel, call: method, outcome, durationMs } = event;
      instruments.walletSeconds.record(durationMs / 1_000, { channel, method, outcome });
      return;
    }
    case "credential.expiring":
      instruments.expiringCredentials.add(1, { channel: event.payChannel, credential: event.name });
      return;
    case "credentials.checked":
      instruments.showExpiries(event.expiries);
      return;
    case "task.ran":
      instruments.taskSteps.add(1, {
        task: event.task,
        outcome: event.failure === undefined ? "ok" : "failed",
      });
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
      instruments.alerts.add(1, { channel: event.channel, outcome: "sent" });
      return;
    case "alert.not-sent":
      instruments.alerts.add(1, { channel: event.channel, outcome: event.reason });
      return;
    // `instrumentSurface` counts requests, and `task.ran` the steps that fail.
    case "request.answered":
    case "storage.misconfigured":
      return;
  }
}
