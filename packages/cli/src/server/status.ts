import { BILL_EXCEPTION_KINDS, OPEN_REFUND_STATUSES, PAY_CHANNELS } from "@tillkit/core";
import type { ResultAsync } from "neverthrow";
import { z } from "zod";
import type { CliFailure } from "../failure.js";
import type { Status } from "../status-answer.js";
import type { Server } from "./open-server.js";

const payChannel = z.enum(PAY_CHANNELS);
const queue = z.object({ due: z.int(), oldestDueAt: z.int().exactOptional() });
const statusSchema = z.object({
  at: z.int(),
  day: z.string(),
  sales: z.array(
    z.object({
      appId: z.string(),
      payChannel,
      payments: z.int(),
      taken: z.int(),
      refunds: z.int(),
      refunded: z.int(),
    }),
  ),
  pending: z.int(),
  notMade: z.int(),
  alarms: z.array(z.object({ type: z.string(), count: z.int() })),
  refunds: z.array(
    z.object({
      status: z.enum(OPEN_REFUND_STATUSES),
      count: z.int(),
      oldestAt: z.int(),
    }),
  ),
  approvals: z.int(),
  exceptions: z.array(z.object({ kind: z.enum(BILL_EXCEPTION_KINDS), count: z.int(), oldestAt: z.int() })),
  missingDays: z.array(
    z.object({ payChannel, appEnv: z.enum(["DEV", "PROD"]), accountId: z.string(), count: z.int() }),
  ),
  queues: z.object({ orders: queue, refunds: queue, events: queue, parkedEvents: queue }),
  credentials: z.array(z.object({ payChannel, name: z.string(), expiresAt: z.int() })),
  credentialsWarnedUntil: z.int(),
  unreadPayTools: z.int(),
});

/** Reads the money of today and what waits. */
export function readStatus(server: Server): ResultAsync<Status, CliFailure> {
  return server
    .read(["status"], {}, statusSchema)
    .map(({ at, day, sales, pending, notMade, credentialsWarnedUntil, unreadPayTools, ...figures }) => ({
      now: at,
      today: { date: day, sales, pending, alarms: sum(figures.alarms), notMade },
      figures,
      unread: unreadPayTools,
      warnUntil: credentialsWarnedUntil,
    }));
}

function sum(alarms: readonly { readonly count: number }[]): number {
  return alarms.reduce((total, { count }) => total + count, 0);
}
