import {
  acknowledgeAlarm,
  closeOrder,
  closeOrderInput,
  type OrderKey,
  parseInput,
  requestShipment,
  syncOrder,
} from "@tillkit/core";
import { fail, type Failure } from "@tillkit/core/errors";
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
import { refundActionRoutes } from "./refund-actions.js";
import { orderPageSchema } from "./schemas.js";
import { watchedOrdersInput } from "./watched-orders.js";

/** A change of one order that may call its wallet. Answers with the page of the order. */
function orderAction(
  name: "sync" | "close",
  change: (context: RouteContext, key: OrderKey, reason: string) => ResultAsync<unknown, Failure>,
) {
  const action = `order.${name}` as const;
  return operatorChange({
    method: "POST",
    path: `/api/orders/{appId}/{bizNo}/${name}`,
    allowed: action,
    action,
    subject: orderSubject,
    input: () => z.object({ ...orderKeyInput, ...reasonInput() }),
    response: () => orderPageSchema,
    require: requireOrderApp,
    repeat: answerOrderPage,
    run: async (context, { reason, ...key }) => {
      const done = await change(context, key, reason);
      if (done.isErr()) return err(done.error);
      return answerOrderPage(context, key);
    },
  });
}

/**
 * Succeeds if the sender has closed the order.
 *
 * Then the process that closed it died before it recorded the outcome, and this request continues
 * it.
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
  orderAction("sync", ({ ports }, { appId, bizNo }) => syncOrder(ports, appId, bizNo)),
  orderAction("close", (context, { appId, bizNo }, reason) => {
    const { ports } = context;
    const asked = { bizNo, reason, operator: operatorName(context) };
    const parsed = parseInput(closeOrderInput(ports.policy), asked);
    return parsed
      .asyncAndThen((input) => closeOrder(ports, appId, input))
      .orElse((failure) =>
        failure.name === "order.closed"
          ? requireClosedBySender(context, { appId, bizNo })
          : errAsync(failure),
      );
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
