import { type OrderKey, type Policy, syncOrder } from "@tillkit/core";
import { fail, type Failure } from "@tillkit/core/errors";
import { acknowledgeAlarm, closeOrder, closeOrderInput, requestShipment } from "@tillkit/core/operators";
import { err, errAsync, ok, type ResultAsync } from "neverthrow";
import * as z from "zod";
import { commandOf, operatorName } from "../command-of.js";
import { reasonInput } from "../reason-input.js";
import { operatorChange, operatorRoute, operatorStream } from "../route.js";
import type { RouteContext } from "../route-context.js";
import { orderChanges, orderVersions } from "./order-changes.js";
import { answerOrderPage } from "./order-page.js";
import { orderKeyInput, orderSubject, requireOrderApp } from "./order-path.js";
import { answerOrderSentences, orderSentencesSchema } from "./order-sentences.js";
import { singleLineText } from "../single-line-text.js";
import { refundActionRoutes } from "./refund-actions.js";
import { orderPageSchema } from "./schemas.js";
import { watchedOrdersInput } from "./watched-orders.js";

/**
 * Succeeds if the sender has closed the order.
 *
 * If so, the process that closed the order died before it recorded the outcome, and this request
 * continues the change.
 */
function requireClosedBySender(context: RouteContext, key: OrderKey): ResultAsync<void, Failure> {
  const actor = `operator:${operatorName(context)}`;
  return context.ports.orders.timeline(key).andThen((events) => {
    const closing = events.findLast(({ to }) => to === "CLOSE");
    return closing?.actor === actor ? ok(undefined) : fail("order.closed");
  });
}

/** The endpoints of single orders. */
export const ordersRoutes = [
  operatorRoute({
    method: "GET",
    path: "/api/orders/{appId}/{bizNo}",
    allowed: "read",
    input: () => z.object(orderKeyInput),
    response: () => orderPageSchema,
    run: async (context, key) => {
      const visible = requireOrderApp(context, key);
      if (visible.isErr()) return visible;
      return answerOrderPage(context, key);
    },
  }),
  operatorRoute({
    method: "GET",
    path: "/api/orders/{appId}/{bizNo}/explanation",
    allowed: "read",
    input: () => z.object(orderKeyInput),
    response: () => orderSentencesSchema,
    run: async (context, key) => {
      const visible = requireOrderApp(context, key);
      if (visible.isErr()) return visible;
      return answerOrderSentences(context, key);
    },
  }),
  operatorStream({
    path: "/api/order-events",
    allowed: "read",
    input: () => z.object({ orders: watchedOrdersInput() }),
    run: async (context, { orders }, request) => {
      for (const key of orders) {
        const visible = requireOrderApp(context, key);
        if (visible.isErr()) {
          await context.recordHidden(key.appId);
          return visible;
        }
      }
      if (context.streams.isFull(operatorName(context))) return err({ name: "streams.limited" });
      const first = await orderVersions(context.ports, orders);
      if (first.isErr()) return err(first.error);
      if (first.value.some(({ version }) => version === undefined)) return fail("order.not-found");
      return ok({ body: orderChanges(context, request, first.value), contentType: "text/event-stream" });
    },
  }),
  operatorChange({
    method: "POST",
    path: "/api/orders/{appId}/{bizNo}/sync",
    allowed: "order.sync",
    action: "order.sync",
    subject: orderSubject,
    input: () => z.object({ ...orderKeyInput, ...reasonInput() }),
    response: () => orderPageSchema,
    require: requireOrderApp,
    repeat: answerOrderPage,
    run: async (context, { appId, bizNo }) => {
      const synced = await syncOrder(context.ports, appId, bizNo);
      return synced.isErr() ? err(synced.error) : answerOrderPage(context, { appId, bizNo });
    },
  }),
  operatorChange({
    method: "POST",
    path: "/api/orders/{appId}/{bizNo}/close",
    allowed: "order.close",
    action: "order.close",
    subject: orderSubject,
    input: (policy: Policy) => {
      const { operator: _session, ...closing } = closeOrderInput(policy).shape;
      return z.object({ appId: singleLineText(64), ...closing, ...reasonInput() }).brand<"CloseOrderInput">();
    },
    response: () => orderPageSchema,
    require: requireOrderApp,
    repeat: answerOrderPage,
    run: async (context, { appId, ...closing }) => {
      const key = { appId, bizNo: closing.bizNo };
      const input = { ...closing, operator: operatorName(context) };
      const closed = await closeOrder(context.ports, appId, input).orElse((failure) =>
        failure.name === "order.closed" ? requireClosedBySender(context, key) : errAsync(failure),
      );
      return closed.isErr() ? err(closed.error) : answerOrderPage(context, key);
    },
  }),
  ...refundActionRoutes,
  operatorChange({
    method: "POST",
    path: "/api/orders/{appId}/{bizNo}/report-shipment",
    allowed: "order.report-shipment",
    action: "order.report-shipment",
    subject: orderSubject,
    input: () => z.object({ ...orderKeyInput, ...reasonInput() }),
    response: () => orderPageSchema,
    require: requireOrderApp,
    repeat: answerOrderPage,
    run: async (context, { reason, ...key }) => {
      const done = await requestShipment(context.ports, key, commandOf(context, reason));
      return done.isErr() ? err(done.error) : answerOrderPage(context, key);
    },
  }),
  operatorChange({
    method: "POST",
    path: "/api/orders/{appId}/{bizNo}/acknowledge",
    allowed: "order.acknowledge",
    action: "order.acknowledge",
    subject: orderSubject,
    input: () =>
      z.object({
        ...orderKeyInput,
        ...reasonInput(),
        seen: z
          .int()
          .optional()
          .describe("The `seq` of the last event that the operator saw. Later alarms stay open."),
      }),
    response: () => orderPageSchema,
    require: requireOrderApp,
    repeat: answerOrderPage,
    run: async (context, { reason, seen, ...key }) => {
      const done = await acknowledgeAlarm(context.ports, key, commandOf(context, reason), seen);
      return done.isErr() ? err(done.error) : answerOrderPage(context, key);
    },
  }),
];
