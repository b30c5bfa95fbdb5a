import { BILL_EXCEPTION_KINDS, type BillExceptionKind, PAY_CHANNELS } from "@tillkit/core";
import { BILL_EXCEPTION_STATES, type BillExceptionState, CLOSING_REMEDIES } from "@tillkit/core/ports";
import type { ResultAsync } from "neverthrow";
import { z } from "zod";
import type { ListedExceptions, ShownException } from "../bill-answer.js";
import type { CliFailure } from "../failure.js";
import type { Server } from "./open-server.js";
import { pageAfter } from "./page-after.js";

const exceptionSchema = z.object({
  id: z.string(),
  kind: z.enum(BILL_EXCEPTION_KINDS),
  state: z.enum(BILL_EXCEPTION_STATES),
  payChannel: z.enum(PAY_CHANNELS),
  accountId: z.string(),
  day: z.string(),
  outTradeNo: z.string(),
  refundNo: z.string().exactOptional(),
  walletTradeNo: z.string().exactOptional(),
  amountThere: z.int().exactOptional(),
  amountHere: z.int().exactOptional(),
  statusHere: z.string().exactOptional(),
  detail: z.string().exactOptional(),
  order: z.object({ appId: z.string(), bizNo: z.string() }).exactOptional(),
  operator: z.string().exactOptional(),
  note: z.string().exactOptional(),
  remedy: z.enum(CLOSING_REMEDIES).exactOptional(),
  remedies: z.array(z.object({ remedy: z.string(), until: z.int().exactOptional() })),
  gmtCreate: z.int(),
  gmtModified: z.int(),
});
const listSchema = z.object({
  items: z.array(exceptionSchema),
  older: z.string().optional(),
  total: z.object({ count: z.int(), isLeast: z.boolean() }),
});

/** Lists bill exceptions, the last found first. */
export function listExceptions(
  server: Server,
  {
    before,
    limit,
    ...filter
  }: {
    readonly state: BillExceptionState;
    readonly day: string | undefined;
    readonly kind: BillExceptionKind | undefined;
    readonly accountId: string | undefined;
    readonly outTradeNo: string | undefined;
    /** The id of the last exception of the previous list. */
    readonly before: string | undefined;
    readonly limit: number;
  },
): ResultAsync<ListedExceptions, CliFailure> {
  return pageAfter(before, limit, (cursor) =>
    server.read(["bill-exceptions"], { ...filter, before: cursor, limit }, listSchema),
  );
}

/** Closes or adopts an exception. */
export function changeException(
  server: Server,
  id: string,
  action: "resolve" | "not-ours" | "adopt" | "assign",
  body: Readonly<Record<string, string>>,
): ResultAsync<ShownException, CliFailure> {
  return server.change(["bill-exceptions", id, action], body, exceptionSchema);
}
