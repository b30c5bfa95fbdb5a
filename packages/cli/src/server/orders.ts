import {
  BILL_EXCEPTION_KINDS,
  type OrderKey,
  PAYMENT_STATUSES,
  type PayChannel,
  type PaymentStatus,
  type Refund,
} from "@tillkit/core";
import { type OpenAlarm, openAlarms } from "@tillkit/core/ports";
import { err, errAsync, ok, okAsync, ResultAsync, type Result } from "neverthrow";
import { z } from "zod";
import { type CliFailure, failure } from "../failure.js";
import { periodOf, readRows, type Rows } from "../list-options.js";
import type { ListedOrder, ShownOrder } from "../order-answer.js";
import type { Server } from "./open-server.js";
import { refundFacts } from "./refunds.js";

const sharedFacts = {
  appId: z.string(),
  bizNo: z.string(),
  id: z.string(),
  amount: z.int(),
  refundedAmount: z.int(),
  goodsTitle: z.string(),
  payChannel: z.string(),
  paymentStatus: z.enum(PAYMENT_STATUSES),
  customerIdentity: z.string(),
  pmtDt: z.int().optional(),
  gmtCreate: z.int(),
};
const rowSchema = z.object({ ...sharedFacts, alarm: z.boolean() });
const listSchema = z.object({ items: z.array(rowSchema), older: z.string().optional() });
const matchesSchema = z.object({ items: z.array(rowSchema), more: z.boolean() });
const pageSchema = z.object({
  order: z.object({
    ...sharedFacts,
    paySource: z.string(),
    customerName: z.string().optional(),
    attachData: z.string().optional(),
    sourceFrom: z.string().optional(),
    payToolId: z.string(),
    walletTradeNo: z.string().optional(),
    expiresAt: z.int(),
    gmtModified: z.int(),
  }),
  remaining: z.int(),
  refunds: z.array(refundFacts),
  approvals: z.array(z.object({ refundNo: z.string(), amount: z.int() })),
  timeline: z.array(
    z.object({
      seq: z.int(),
      type: z.string(),
      at: z.int(),
      alarm: z.boolean(),
      evidence: z.string().exactOptional(),
      refundNo: z.string().exactOptional(),
    }),
  ),
});
/** The members of an order's page that commands read. */
export type OrderPage = z.output<typeof pageSchema>;

const sessionSchema = z.object({
  policy: z.object({ payChannelNames: z.object({ WALLET_A: z.string(), WALLET_B: z.string() }) }),
});

/** Returns the channel that the policy of the host gives a name. */
type ChannelOf = (name: string) => string;

/** Reads the names that the host gives the channels. */
function readChannels(server: Server): ResultAsync<ChannelOf, CliFailure> {
  return server.read(["session"], {}, sessionSchema).map(({ policy: { payChannelNames } }) => {
    const { WALLET_A, WALLET_B } = payChannelNames;
    if (WALLET_A === WALLET_B) return (name) => name;
    const channels = new Map([
      [WALLET_A, "WALLET_A"],
      [WALLET_B, "WALLET_B"],
    ]);
    return (name) => channels.get(name) ?? name;
  });
}

function listed(channelOf: ChannelOf, { alarm, ...row }: z.output<typeof rowSchema>): ListedOrder {
  return { ...row, payChannel: channelOf(row.payChannel), hasAlarm: alarm };
}

/** The filter of a list of orders, as the user typed it. */
export interface OrderListFilter {
  readonly app?: string | undefined;
  readonly status?: PaymentStatus | undefined;
  readonly channel?: PayChannel | undefined;
  readonly from?: string | undefined;
  readonly until?: string | undefined;
  readonly min?: number | undefined;
  readonly max?: number | undefined;
  readonly withAlarm?: boolean | undefined;
}

/** Lists orders, newest first. */
export function listOrders(
  server: Server,
  limit: number,
  { app, status, channel, from, until, min, max, withAlarm }: OrderListFilter,
): ResultAsync<Rows<ListedOrder>, CliFailure> {
  const filter = { appId: app, status, channel, ...periodOf({ from, until }), min, max };
  const query = { ...filter, ...(withAlarm === true ? { alarm: "true" } : {}) };
  return readChannels(server).andThen((channelOf) =>
    readRows<ListedOrder, string, CliFailure>(limit, (page) =>
      server.read(["orders"], { ...query, ...page }, listSchema).map(({ items, older }) => ({
        items: items.map((row) => listed(channelOf, row)),
        ...(older === undefined ? {} : { next: older }),
      })),
    ),
  );
}

/** Finds orders by any of their numbers, newest first. The server limits the number of orders. */
export function searchOrders(server: Server, number: string): ResultAsync<Rows<ListedOrder>, CliFailure> {
  return readChannels(server).andThen((channelOf) =>
    server.read(["orders", "search"], { q: number }, matchesSchema).map(({ items, more }) => ({
      rows: items.map((row) => listed(channelOf, row)),
      hasMore: more,
    })),
  );
}

/** Reads the page of an order. Fails with `order.not-found`. */
export function readOrderPage(
  server: Server,
  { app, bizNo }: { readonly app: string; readonly bizNo: string },
): ResultAsync<OrderPage, CliFailure> {
  return server.read(["orders", app, bizNo], {}, pageSchema);
}

const sentencesSchema = z.object({
  id: z.string(),
  sentences: z.array(z.string()),
  chainHolds: z.boolean(),
  agrees: z.boolean(),
  exceptions: z.array(z.object({ id: z.string(), kind: z.enum(BILL_EXCEPTION_KINDS), day: z.string() })),
});

/** Reads the explanation of an order. Fails with `order.not-found`. */
export function readExplanation(
  server: Server,
  { appId, bizNo }: OrderKey,
): ResultAsync<z.output<typeof sentencesSchema>, CliFailure> {
  return server.read(["orders", appId, bizNo, "explanation"], {}, sentencesSchema);
}

/** Finds the order with a `bizNo`. Empty if there is none. */
export function findByBizNo(
  server: Server,
  key: { readonly app: string; readonly bizNo: string },
): ResultAsync<readonly ShownOrder[], CliFailure> {
  return readChannels(server).andThen((channelOf) =>
    readOrderPage(server, key)
      .map(({ order }): readonly ShownOrder[] => [{ ...order, payChannel: channelOf(order.payChannel) }])
      .orElse((failed) => (failed.name === "order.not-found" ? okAsync([]) : errAsync(failed))),
  );
}

/** Changes an order. Returns the order after the change. */
export function changeOrder(
  server: Server,
  { app, bizNo }: { readonly app: string; readonly bizNo: string },
  action: "sync" | "close" | "acknowledge" | "report-shipment",
  body: Readonly<Record<string, string | number>>,
): ResultAsync<ShownOrder, CliFailure> {
  return readChannels(server).andThen((channelOf) =>
    server
      .change(["orders", app, bizNo, action], body, pageSchema)
      .map(({ order }) => ({ ...order, payChannel: channelOf(order.payChannel) })),
  );
}

/** A change of a refund, or a change that records a refund. */
interface RefundChange {
  readonly app: string;
  readonly bizNo: string;
  /** Returns the number of the refund. */
  readonly refundNoOf: (order: { readonly id: string }) => string;
  /** The parts of the path behind `refunds`. */
  readonly action: readonly string[];
  readonly body: Readonly<Record<string, string>>;
}

/** Changes a refund of an order. Returns the refund after the change. */
export function changeRefund(
  server: Server,
  { app, bizNo, refundNoOf, action, body }: RefundChange,
): ResultAsync<Refund, CliFailure> {
  return server
    .change(["orders", app, bizNo, "refunds", ...action], body, pageSchema)
    .andThen(({ order, refunds }) => {
      const refundNo = refundNoOf(order);
      const changed = refunds.find((one) => one.refundNo === refundNo);
      return changed === undefined
        ? err(failure("refused", "refund.missing", `The order has no refund ${refundNo} now: look at it.`))
        : ok({ appId: app, bizNo, ...changed });
    });
}

/**
 * Lists the orders with an open alarm, each with its newest alarm. The newest alarm comes first.
 */
export function listAlarms(
  server: Server,
  app: string | undefined,
  limit: number,
): ResultAsync<readonly OpenAlarm[], CliFailure> {
  return listOrders(server, limit, { app, withAlarm: true }).andThen(
    ({ rows }) => new ResultAsync(newestAlarms(server, rows)),
  );
}

async function newestAlarms(
  server: Server,
  orders: readonly ListedOrder[],
): Promise<Result<readonly OpenAlarm[], CliFailure>> {
  const alarms: OpenAlarm[] = [];
  for (const { appId, bizNo } of orders) {
    const page = await readOrderPage(server, { app: appId, bizNo });
    if (page.isErr()) return page.map(() => []);
    const newest = openAlarms(page.value.timeline).at(-1);
    if (newest === undefined) continue;
    const { seq, type, at, refundNo } = newest;
    alarms.push({ appId, bizNo, seq, type, at, ...(refundNo === undefined ? {} : { refundNo }) });
  }
  return ok(alarms.sort((left, right) => right.at - left.at));
}
