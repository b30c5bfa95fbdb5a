import type { ServiceEvent, Observer, Policy } from "@tillkit/core";
import { ERROR_CATALOG, httpStatus } from "@tillkit/core/errors";
import type { AnsweredRequest } from "./answered-request.js";
import type { Logger } from "./logger.js";
import { type Metrics, showExpiries } from "./metrics.js";

/** The receivers of domain events: the log, the metrics and the request recorder. */
export interface Listeners {
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly record: (request: AnsweredRequest) => void;
  readonly statusMode: Policy["statusMode"];
}

/** Creates an observer that turns domain events into log lines and metrics. */
export function hostObserver(listeners: Listeners): Observer {
  return { onEvent: (event) => receive(listeners, event) };
}

function receive({ logger, metrics, record, statusMode }: Listeners, serviceEvent: ServiceEvent): void {
  switch (serviceEvent.type) {
    case "request.answered":
      record(answeredOf(serviceEvent, statusMode));
      return;
    case "request.refused":
      metrics.refusedRequests.inc({ surface: serviceEvent.surface });
      return;
    case "order.moved": {
      const { appId, orderId, from, to } = serviceEvent;
      metrics.transitions.inc({ from, to });
      logger.info({ appId, orderId, from, to }, "order status changed");
      return;
    }
    case "refund.moved": {
      const { appId, orderId, refundNo, to, amount } = serviceEvent;
      metrics.refunds.inc({ to });
      if (to === "CONFIRMED") metrics.refundedCents.inc(amount);
      logger.info({ appId, orderId, refundNo, to, amount }, "refund status changed");
      return;
    }
    case "order.alarm": {
      const { appId, orderId, event } = serviceEvent;
      metrics.alarms.inc({ event });
      logger.error({ appId, orderId, event }, "order alarm: read its timeline");
      return;
    }
    case "notification.refused": {
      const { payChannel: channel, reason } = serviceEvent;
      metrics.refusedNotifications.inc({ channel, reason });
      logger.warn({ channel, reason }, "notification refused");
      return;
    }
    case "bill.reconciled": {
      const { payChannel: channel, day, open, healed } = serviceEvent;
      logger[open === 0 ? "info" : "error"](
        { channel, day, open, healed },
        "bill compared with the stored orders and refunds",
      );
      return;
    }
    case "credential.expiring": {
      const { payChannel: channel, appId, payToolId, name: credential } = serviceEvent;
      const endsAt = new Date(serviceEvent.expiresAt).toISOString();
      metrics.expiringCredentials.inc({ channel, credential });
      logger.error({ channel, appId, payToolId, credential, endsAt }, "wallet credential ends: replace it");
      return;
    }
    case "credentials.checked":
      showExpiries(metrics, serviceEvent.expiries);
      return;
    case "task.ran": {
      const { task, failure, cause, durationMs } = serviceEvent;
      metrics.taskSteps.inc({ task, outcome: failure === undefined ? "ok" : "failed" });
      if (failure === undefined) metrics.taskSucceededAt.setToCurrentTime({ task });
      else logger.error({ task, failure, durationMs, err: cause }, "background task failed");
      return;
    }
    case "wallet.called": {
      const { payChannel: channel, call: method, outcome, durationMs } = serviceEvent;
      metrics.walletSeconds.observe({ channel, method, outcome }, durationMs / 1_000);
      logger[outcome === "ok" ? "debug" : "warn"]({ channel, method, outcome, durationMs }, "wallet called");
      return;
    }
  }
}

function answeredOf(
  event: Extract<ServiceEvent, { type: "request.answered" }>,
  statusMode: Policy["statusMode"],
): AnsweredRequest {
  const { method, path: route = "unknown", traceId, durationMs, failure, cause } = event;
  const request = { method, route, traceId, durationMs };
  if (failure === undefined) return { ...request, code: 0, status: 200 };
  const { code } = ERROR_CATALOG[failure];
  return {
    ...request,
    failure,
    code,
    status: httpStatus(failure, statusMode),
    ...(cause === undefined ? {} : { cause }),
  };
}
