import {
  acknowledgeAlarm,
  audited,
  closeOrder,
  closeOrderInput,
  type OrderKey,
  parseInput,
  syncOrder,
} from "@tillkit/core";
import { fail, type Failure } from "@tillkit/core/errors";
import { err, ok, type Result, type ResultAsync } from "neverthrow";
import * as z from "zod";
import { commandOf, operatorName, sees } from "../command-of.js";
import { line } from "../line-input.js";
import { reasonInput } from "../reason-input.js";
import { operatorRoute, operatorStream, type RouteContext } from "../route.js";
import { orderChanges, orderVersion } from "./order-changes.js";
import { orderPage } from "./order-page.js";
import { orderPageSchema } from "./schemas.js";

const keyInput = { appId: line(64), bizNo: line(64) };
const ofOrder = ({ appId = "", bizNo = "" }: Readonly<Record<string, string>>) => `order:${appId}/${bizNo}`;

/** Fails with `order.not-found` if the operator does not see the order's app. */
function seen(context: RouteContext, { appId }: OrderKey): Result<void, Failure> {
  return sees(context, appId) ? ok(undefined) : fail("order.not-found");
}

/** A change of one order that may call its wallet. Answers with the page of the order. */
function orderAction(
  name: "sync" | "close",
  change: (context: RouteContext, key: OrderKey, reason: string) => ResultAsync<unknown, Failure>,
) {
  const action = `order.${name}` as const;
  return operatorRoute({
    method: "POST",
    path: `/api/orders/{appId}/{bizNo}/${name}`,
    allowed: action,
    action,
    subject: ofOrder,
    input: () => z.object({ ...keyInput, ...reasonInput() }),
    response: () => orderPageSchema,
    run: async (context, { reason, ...key }) => {
      const visible = seen(context, key);
      if (visible.isErr()) return visible;
      // The order must exist, so that the log contains no subjects that do not.
      const found = await context.ports.orders.find(key);
      if (found.isErr()) return found;
      if (found.value === undefined) return fail("order.not-found");
      const facts = { action, subject: ofOrder(key), appId: key.appId };
      const by = commandOf(context, reason);
      const done = await audited(context.ports, by, facts, () => change(context, key, reason));
      if (done.isErr()) return err(done.error);
      return answeredPage(context, key);
    },
  });
}

/** Answers with the page of the order. */
function answeredPage({ ports, language }: RouteContext, key: OrderKey) {
  return orderPage(ports, key, language).map((value) => ({ value }));
}

/** The endpoints of one order. */
export const ordersRoutes = [
  operatorRoute({
    method: "GET",
    path: "/api/orders/{appId}/{bizNo}",
    allowed: "read",
    input: () => z.object(keyInput),
    response: () => orderPageSchema,
    run: async (context, key) => {
      const visible = seen(context, key);
      if (visible.isErr()) return visible;
      return answeredPage(context, key);
    },
  }),
  operatorStream({
    path: "/api/orders/{appId}/{bizNo}/events",
    allowed: "read",
    input: () => z.object(keyInput),
    run: async (context, key, request) => {
      const visible = seen(context, key);
      if (visible.isErr()) return visible;
      if (context.streams.isFull(operatorName(context))) return err({ name: "streams.limited" });
      const first = await orderVersion(context.ports, key);
      if (first.isErr()) return err(first.error);
      if (first.value === undefined) return fail("order.not-found");
      const body = orderChanges(context, key, request, first.value);
      return ok({ body, contentType: "text/event-stream" });
    },
  }),
  orderAction("sync", ({ ports }, { appId, bizNo }) => syncOrder(ports, appId, bizNo)),
  orderAction("close", (context, { appId, bizNo }, reason) => {
    const { ports } = context;
    const asked = { bizNo, reason, operator: operatorName(context) };
    const parsed = parseInput(closeOrderInput(ports.policy), asked);
    return parsed.asyncAndThen((input) => closeOrder(ports, appId, input));
  }),
  operatorRoute({
    method: "POST",
    path: "/api/orders/{appId}/{bizNo}/acknowledge",
    allowed: "order.acknowledge",
    action: "order.acknowledge",
    subject: ofOrder,
    input: () =>
      z.object({
        ...keyInput,
        ...reasonInput(),
        seen: z
          .int()
          .optional()
          .describe("The `seq` of the last event that the operator saw. Later alarms stay open."),
      }),
    response: () => orderPageSchema,
    run: async (context, { reason, seen: last, ...key }) => {
      const visible = seen(context, key);
      if (visible.isErr()) return visible;
      const done = await acknowledgeAlarm(context.ports, key, commandOf(context, reason), last);
      return done.isErr() ? err(done.error) : answeredPage(context, key);
    },
  }),
];
