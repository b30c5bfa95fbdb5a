import {
  BILL_EXCEPTION_KINDS,
  OPEN_REFUND_STATUSES,
  PAY_CHANNELS,
  readCredentialExpiries,
  readRecordFigures,
} from "@tillkit/core";
import { readToday } from "@tillkit/core/operators";
import { err, ok } from "neverthrow";
import * as z from "zod";
import type { RouteContext } from "../route-context.js";
import { operatorRoute } from "../route.js";
import { cents, time } from "../unit-schemas.js";
import { requireEveryApp } from "../visible-apps.js";

const channel = { payChannel: z.enum(PAY_CHANNELS) };

const queueSchema = z.strictObject({ due: z.int(), oldestDueAt: time().optional() });

/** Schema of the money of today, and of what waits. */
const statusSchema = z
  .strictObject({
    at: time(),
    day: z.string().describe("The business day, `YYYY-MM-DD`."),
    sales: z
      .array(
        z.strictObject({
          appId: z.string(),
          ...channel,
          payments: z.int(),
          taken: cents(),
          refunds: z.int(),
          refunded: cents(),
        }),
      )
      .readonly(),
    pending: z.int().describe("Orders that wait for their payment."),
    notMade: z.int().describe("Approved refunds that could not be made."),
    alarms: z.array(z.strictObject({ type: z.string(), count: z.int() })).readonly(),
    refunds: z
      .array(z.strictObject({ status: z.enum(OPEN_REFUND_STATUSES), count: z.int(), oldestAt: time() }))
      .readonly()
      .describe("Open refunds by status."),
    approvals: z.int().describe("Refunds that need a second operator."),
    exceptions: z
      .array(z.strictObject({ kind: z.enum(BILL_EXCEPTION_KINDS), count: z.int(), oldestAt: time() }))
      .readonly(),
    missingDays: z
      .array(
        z.strictObject({
          ...channel,
          appEnv: z.enum(["DEV", "PROD"]),
          accountId: z.string(),
          count: z.int(),
        }),
      )
      .readonly(),
    queues: z.strictObject({
      orders: queueSchema,
      refunds: queueSchema,
      events: queueSchema,
      parkedEvents: queueSchema,
    }),
    credentials: z
      .array(z.strictObject({ ...channel, name: z.string(), expiresAt: time() }))
      .readonly()
      .describe("When the credentials of the pay tools end, the earliest of each kind."),
    credentialsWarnedUntil: time().describe("Credentials that end before this time need a person."),
    unreadPayTools: z.int().describe("Pay tools whose credentials could not be read."),
  })
  .meta({ id: "Status" });

/** The endpoint of `tillkit status`. Counts stop at 1,000. */
export const statusRoute = operatorRoute({
  method: "GET",
  path: "/api/status",
  allowed: "read",
  input: () => z.object({}),
  response: () => statusSchema,
  run: async (context) => {
    // The queues and the bills belong to no single app.
    const permitted = requireEveryApp(context);
    return permitted.isErr() ? permitted : readStatus(context);
  },
});

async function readStatus({ ports }: Pick<RouteContext, "ports">) {
  const expiries = await readCredentialExpiries(ports);
  if (expiries.isErr()) return err(expiries.error);
  const figures = await readRecordFigures(ports, expiries.value.expiries);
  if (figures.isErr()) return err(figures.error);
  const today = await readToday(ports, undefined);
  if (today.isErr()) return err(today.error);
  const { at, date, sales, pending, notMade } = today.value;
  const { alarms, refunds, approvals, exceptions, missingDays, queues, credentials } = figures.value;
  const value = {
    at,
    day: date,
    sales,
    pending: pending.count,
    notMade,
    alarms,
    refunds,
    approvals,
    exceptions,
    missingDays,
    queues,
    credentials: credentials.map(({ payChannel, name, expiresAt }) => ({ payChannel, name, expiresAt })),
    credentialsWarnedUntil: at + ports.policy.credentialWarning,
    unreadPayTools: expiries.value.unread,
  };
  return ok({ value });
}
