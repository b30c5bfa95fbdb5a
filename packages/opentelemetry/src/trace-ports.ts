import { SpanStatusCode, trace, type Tracer } from "@opentelemetry/api";
import type { Observer, Ports, ServiceEvent, Wallet } from "@tillkit/core";
import { SCOPE } from "./scope.js";
import { traceMethods } from "./trace-methods.js";

/** The options of {@link tracePorts}. */
export interface TracedPortsOptions {
  /** Defaults to the global tracer provider's tracer of this package. */
  readonly tracer?: Tracer;
}

/** Methods that do no I/O, so they get no span. */
const UNTRACED: ReadonlySet<string> = new Set([
  "getCached",
  "answer",
  "credentialExpiries",
  "localPrepayment",
  "describeRefund",
]);

/**
 * Returns ports with spans for storage, wallet and SMS calls, and with events on the active span.
 *
 * A span has the name of the port and the method, such as `orders.insertOnce` or `wallet.query`. It
 * contains no parameters and no results, so no personal data and no secrets.
 *
 * @returns ports with the same behaviour.
 * @example
 * ```ts
 * import { paymentsRouter } from "@tillkit/express";
 * import { tracePorts } from "@tillkit/opentelemetry";
 *
 * app.use("/pay", paymentsRouter(tracePorts(ports)));
 * ```
 */
export function tracePorts(
  ports: Ports,
  { tracer = trace.getTracer(SCOPE) }: TracedPortsOptions = {},
): Ports {
  const traced = <T extends object>(port: T, name: string, attributes = {}): T =>
    traceMethods(port, { tracer, name, attributes, untraced: UNTRACED });
  const wallet = (one: Wallet, channel: string) => traced(one, "wallet", { "tillkit.channel": channel });
  const { wallets, smsSender } = ports;
  return {
    ...ports,
    apps: traced(ports.apps, "apps"),
    payTools: traced(ports.payTools, "pay-tools"),
    orders: traced(ports.orders, "orders"),
    orderSearch: traced(ports.orderSearch, "order-search"),
    refunds: traced(ports.refunds, "refunds"),
    refundApprovals: traced(ports.refundApprovals, "refund-approvals"),
    billLines: traced(ports.billLines, "bill-lines"),
    keptBills: traced(ports.keptBills, "kept-bills"),
    billSettlements: traced(ports.billSettlements, "bill-settlements"),
    billExceptions: traced(ports.billExceptions, "bill-exceptions"),
    serviceTypes: traced(ports.serviceTypes, "service-types"),
    services: traced(ports.services, "services"),
    codes: traced(ports.codes, "codes"),
    sessions: traced(ports.sessions, "sessions"),
    customerData: traced(ports.customerData, "customer-data"),
    quotas: traced(ports.quotas, "quotas"),
    downloads: traced(ports.downloads, "downloads"),
    downloadsClients: traced(ports.downloadsClients, "downloads-clients"),
    eventDeliveries: traced(ports.eventDeliveries, "event-deliveries"),
    operators: traced(ports.operators, "operators"),
    operatorSessions: traced(ports.operatorSessions, "operator-sessions"),
    signInAttempts: traced(ports.signInAttempts, "sign-in-attempts"),
    auditLog: traced(ports.auditLog, "audit-log"),
    alerts: traced(ports.alerts, "alerts"),
    figures: traced(ports.figures, "figures"),
    accessTokens: traced(ports.accessTokens, "access-tokens"),
    readiness: traced(ports.readiness, "readiness"),
    wallets: {
      WALLET_A: wallet(wallets.WALLET_A, "WALLET_A"),
      WALLET_B: wallet(wallets.WALLET_B, "WALLET_B"),
    },
    ...(smsSender === undefined ? {} : { smsSender: traced(smsSender, "sms") }),
    observer: onActiveSpan(ports.observer),
  };
}

/** Adds changes, alarms, refusals and failures to the active span, and passes every event on. */
function onActiveSpan(observer: Observer): Observer {
  return {
    onEvent: (event) => {
      const attributes = attributesOf(event);
      const span = trace.getActiveSpan();
      const isEnd = event.type === "request.answered" || event.type === "task.ran";
      if (attributes !== undefined && isEnd) span?.setAttributes(attributes);
      else if (attributes !== undefined) span?.addEvent(event.type, attributes);
      if (event.type === "task.ran" && event.failure !== undefined)
        span?.setStatus({ code: SpanStatusCode.ERROR });
      observer.onEvent(event);
    },
  };
}

function attributesOf(event: ServiceEvent): Readonly<Record<string, string>> | undefined {
  switch (event.type) {
    case "request.answered":
    case "task.ran":
      return event.failure === undefined ? undefined : { "tillkit.failure": event.failure };
    case "order.moved":
      return { "tillkit.order_id": event.orderId, "tillkit.from": event.from, "tillkit.to": event.to };
    case "order.alarm":
      return { "tillkit.order_id": event.orderId, "tillkit.event": event.event };
    case "refund.moved":
      return { "tillkit.order_id": event.orderId, "tillkit.to": event.to };
    case "notification.refused":
      return { "tillkit.channel": event.payChannel, "tillkit.reason": event.reason };
    default:
      return undefined;
  }
}
