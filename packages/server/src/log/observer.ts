import type { Meter } from "@opentelemetry/api";
import { isMissingBill, type Observer, type ServiceEvent } from "@tillkit/core";
import { metricsObserver } from "@tillkit/opentelemetry";
import type { Logger } from "./logger.js";
import { refusalCounter } from "./count-refusals.js";
import { noteAnswer, noteRefusal } from "./request-log.js";

/** Creates an observer that turns domain events into log lines and metrics. */
export function hostObserver(logger: Logger, meter: Meter): Observer {
  const metrics = metricsObserver({ meter });
  const countRefusal = refusalCounter(logger);
  return {
    onEvent: (event) => {
      metrics.onEvent(event);
      if (event.type === "request.refused") {
        noteRefusal();
        countRefusal(event.surface);
      } else log(logger, event);
    },
  };
}

function log(logger: Logger, serviceEvent: Exclude<ServiceEvent, { type: "request.refused" }>): void {
  switch (serviceEvent.type) {
    case "request.answered":
      noteAnswer(serviceEvent);
      return;
    case "order.moved": {
      const { appId, orderId, from, to } = serviceEvent;
      logger.info({ appId, orderId, from, to }, "order status changed");
      return;
    }
    case "refund.moved": {
      const { appId, orderId, refundNo, to, amount } = serviceEvent;
      logger.info({ appId, orderId, refundNo, to, amount }, "refund status changed");
      return;
    }
    case "order.alarm": {
      const { appId, orderId, event } = serviceEvent;
      logger.error({ appId, orderId, event }, "order alarm: read its timeline");
      return;
    }
    case "event.failed":
    case "event.parked": {
      const { type, ...facts } = serviceEvent;
      if (type === "event.failed") logger.warn(facts, "event handler failed: Tillkit tries again");
      else logger.error(facts, "event parked: correct the handler, then replay or skip the event");
      return;
    }
    case "notification.failed": {
      const { payChannel: channel, failure, cause } = serviceEvent;
      logger.error({ channel, failure, err: cause }, "notification not stored: the wallet sends it again");
      return;
    }
    case "payment.recorded": {
      const { appId, orderId, payChannel: channel, source, delayMs } = serviceEvent;
      logger.info({ appId, orderId, channel, source, delayMs }, "payment recorded");
      return;
    }
    case "notification.refused": {
      const { payChannel: channel, reason } = serviceEvent;
      logger.warn({ channel, reason }, "notification refused");
      return;
    }
    case "bill.reconciled": {
      const { payChannel: channel, accountId: account, day, open, healed } = serviceEvent;
      logger[open === 0 ? "info" : "error"](
        { channel, account, day, open, healed },
        "bill compared with the stored orders and refunds",
      );
      return;
    }
    case "bill.not-compared": {
      const { payChannel: channel, accountId: account, day, failure, reason } = serviceEvent;
      logger[reason === "not-ready" ? "info" : "error"](
        { channel, account, day, failure, reason },
        "bill not compared: a later run repeats it",
      );
      return;
    }
    case "credential.expiring": {
      const { payChannel: channel, appId, payToolId, name: credential } = serviceEvent;
      const endsAt = new Date(serviceEvent.expiresAt).toISOString();
      logger.error({ channel, appId, payToolId, credential, endsAt }, "wallet credential ends: replace it");
      return;
    }
    case "wallet.key-trusted": {
      const { payChannel: channel, accountId: account, serialNo } = serviceEvent;
      const validFrom = new Date(serviceEvent.validFrom).toISOString();
      const endsAt = new Date(serviceEvent.expiresAt).toISOString();
      logger.info({ channel, account, serialNo, validFrom, endsAt }, "new certificate of the wallet trusted");
      return;
    }
    case "clock.off":
    case "clock.right": {
      const { type, payChannel: channel, appEnv: env, skewMs } = serviceEvent;
      if (type === "clock.right") logger.info({ channel, env, skewMs }, "clock right again");
      else logger.error({ channel, env, skewMs }, "clock differs from the wallet's: set it with NTP");
      return;
    }
    case "task.ran": {
      const { task, traceId, failure, cause, durationMs } = serviceEvent;
      if (failure === undefined) logger.debug({ task, traceId, durationMs }, "background task ended");
      else logger.error({ task, traceId, failure, durationMs, err: cause }, "background task failed");
      return;
    }
    case "wallet.called": {
      const { type: _type, payChannel: channel, call: method, outcome, ...facts } = serviceEvent;
      const level = outcome === "ok" ? "debug" : isMissingBill(serviceEvent) ? "info" : "warn";
      logger[level]({ channel, method, outcome, ...facts }, "wallet called");
      return;
    }
    case "sms.called": {
      const { appId, outcome, detail, durationMs } = serviceEvent;
      logger[outcome === "ok" ? "debug" : "warn"](
        { appId, outcome, detail, durationMs },
        "SMS carrier called",
      );
      return;
    }
    case "sms.limit-near": {
      const { type: _type, ...facts } = serviceEvent;
      logger.warn(facts, "SMS near a limit");
      return;
    }
    case "alert.sent": {
      const { channel, matters, isRepeated } = serviceEvent;
      logger.info({ channel, matters, isRepeated }, "alert sent");
      return;
    }
    case "alert.not-sent": {
      const { channel, reason, detail, advice, failures } = serviceEvent;
      logger.error({ channel, reason, detail, advice, failures }, "alert not sent: Tillkit tries again");
      return;
    }
    case "storage.misconfigured": {
      const { remedy, cause } = serviceEvent;
      logger.error({ remedy, err: cause }, "storage misconfigured: follow the remedy");
      return;
    }
    case "host.not-ready": {
      const { why, remedy, cause } = serviceEvent;
      logger.error({ why, remedy, err: cause }, "host not ready: follow the remedy");
      return;
    }
    case "host.ready":
      logger.info("host ready again");
      return;
    // These events only change metrics.
    case "notification.accepted":
    case "sms.reported":
    case "clock.measured":
    case "credentials.checked":
    case "event.delivered":
      return;
  }
}
