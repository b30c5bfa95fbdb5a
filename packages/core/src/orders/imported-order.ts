import * as z from "zod";
import { PAY_CHANNELS } from "../pay-tools/pay-tool.js";
import {
  issue,
  naturalNumber,
  singleLineTextOrEmpty,
  perPolicy,
  singleLineText,
  nonBlankText,
  wellFormedText,
} from "../shared/input.js";
import { LONGEST_WIRE_NAME } from "../shared/limits.js";
import { isAfter, isBefore, recordedTime } from "../shared/recorded-time.js";
import { isBlank } from "../text/blank-text.js";
import { hasControlCharacter, utf8 } from "../shared/text.js";
import { PAY_SOURCES } from "../wallets/pay-source.js";
import { bizNo } from "./biz-no.js";
import type { Order } from "./order.js";
import { PAYMENT_STATUSES } from "./payment-status-moves.js";

/**
 * Schema of an order of another service: one line of an import file.
 *
 * Amounts are cents and times are epoch milliseconds. `id` is the order's number at the wallet.
 */
export const importedOrderInput = perPolicy((policy) =>
  z
    .object({
      appId: singleLineText(64),
      bizNo: bizNo(policy.maxBizNoLength),
      id: singleLineText(64).regex(WALLET_NUMBER, issue("wallet-number")),
      customerIdentity: wellFormedText()
        .refine((text) => [...text].length <= policy.maxCustomerIdentityLength, issue("length"))
        .refine((text) => !hasControlCharacter(text), issue("control-characters"))
        .refine((text) => text === "" || !isBlank(text), issue("blank")),
      customerName: singleLineTextOrEmpty(policy.maxCustomerNameLength),
      amount: z
        .int(issue("amount.invalid"))
        .min(1, issue("amount.invalid"))
        .max(policy.maxAmount, issue("amount.invalid")),
      goodsTitle: nonBlankText(policy.maxGoodsTitleLength),
      payChannel: z.enum(PAY_CHANNELS, issue("pay-channel.invalid")),
      paySource: z.enum(PAY_SOURCES, issue("shape")).default("APP"),
      paymentStatus: z.enum(PAYMENT_STATUSES, issue("shape")),
      attachData: wellFormedText()
        .refine((text) => !text.includes("\u0000"), issue("null-character"))
        .refine((text) => utf8(text).length <= policy.maxAttachDataBytes, issue("attach-data.too-large"))
        .optional(),
      sourceFrom: singleLineTextOrEmpty(LONGEST_WIRE_NAME),
      pmtDt: recordedTime().optional(),
      walletTradeNo: singleLineTextOrEmpty(64).refine(isWalletNumber, issue("wallet-number")),
      refundedAmount: naturalNumber(Number.MAX_SAFE_INTEGER).default(0),
      gmtCreate: recordedTime(),
      gmtModified: recordedTime(),
    })
    .refine(({ paymentStatus, pmtDt }) => isPaid(paymentStatus) === (pmtDt !== undefined), {
      path: ["pmtDt"],
      ...issue("payment-time"),
    })
    .refine(({ pmtDt, gmtCreate }) => pmtDt === undefined || !isBefore(pmtDt, gmtCreate), {
      path: ["pmtDt"],
      ...issue("before-creation"),
    })
    .refine(({ gmtModified, gmtCreate }) => !isBefore(gmtModified, gmtCreate), {
      path: ["gmtModified"],
      ...issue("before-creation"),
    })
    // Allows a difference between the clock of the wallet and the clock of the service.
    .refine(({ pmtDt, gmtModified }) => pmtDt === undefined || !isAfter(pmtDt, gmtModified), {
      path: ["pmtDt"],
      ...issue("after-change"),
    })
    .refine(hasFittingRefund, { path: ["refundedAmount"], ...issue("refunded-amount") }),
);

/** The times of a line that must not be in the future. */
export const ORDER_TIMES = ["gmtCreate", "gmtModified", "pmtDt"] as const;

// Rejects 4.2E+27 from a spreadsheet, and the back-tick before a number in WeChat Pay's bills.
const WALLET_NUMBER = /^[0-9A-Za-z_*|-]*$/;

function isWalletNumber(text: string | undefined): boolean {
  return text === undefined || WALLET_NUMBER.test(text);
}

/** A valid line: the result of `parseInput(importedOrderInput(policy), …)`. */
export type ImportedOrder = z.output<ReturnType<typeof importedOrderInput>>;

/** The members of a line, in the sequence in which an export writes them. */
const MEMBERS = [
  "appId",
  "bizNo",
  "id",
  "customerIdentity",
  "customerName",
  "amount",
  "goodsTitle",
  "payChannel",
  "paySource",
  "paymentStatus",
  "attachData",
  "sourceFrom",
  "pmtDt",
  "walletTradeNo",
  "refundedAmount",
  "gmtCreate",
  "gmtModified",
];

/**
 * Returns the line of an order without a line end: JSON with its members in a fixed order.
 *
 * If a line is imported, this function returns the same line for the imported order. A line
 * contains neither the customer's id at the wallet nor a payload.
 *
 * @returns the line.
 * @example
 * ```ts
 * import { orThrow } from "@tillkit/core";
 * import { orderLine } from "@tillkit/core/operators";
 *
 * const page = await orThrow(ports.orders.listAll({ limit: 500 }));
 * console.log(page.map(orderLine).join("\n"));
 * ```
 */
export function orderLine(order: Order): string {
  return JSON.stringify(order, MEMBERS);
}

/**
 * Returns whether two versions of an imported order have equal lines and the same pay tool.
 *
 * For adapters: see {@link OrderStore.replaceImported}.
 *
 * @returns false if the pay tool or a member of the line differs.
 * @example
 * ```ts
 * import { orThrow } from "@tillkit/core";
 * import { isSameImport } from "@tillkit/core/ports";
 *
 * const key = { appId: "app_1", bizNo: "biz-1" };
 * const order = await orThrow(ports.orders.find(key));
 * if (order !== undefined) console.log(isSameImport(order, { ...order, amount: 1 }));
 * ```
 */
export function isSameImport(left: Order, right: Order): boolean {
  return left.payToolId === right.payToolId && orderLine(left) === orderLine(right);
}

/**
 * Returns whether the order was imported and is not connected to a pay tool.
 *
 * Tillkit never queries a wallet about such an order.
 */
export function isImported({ payToolId }: Pick<Order, "payToolId">): boolean {
  return payToolId === IMPORTED_PAY_TOOL;
}

/** The `payToolId` of an imported order. No pay tool has this id. */
export const IMPORTED_PAY_TOOL = "";

function isPaid(status: (typeof PAYMENT_STATUSES)[number]): boolean {
  return status === "PAID" || status === "REFUND";
}

function hasFittingRefund({
  paymentStatus,
  amount,
  refundedAmount,
}: Pick<Order, "paymentStatus" | "amount" | "refundedAmount">): boolean {
  switch (paymentStatus) {
    case "PENDING":
    case "CLOSE":
      return refundedAmount === 0;
    case "PAID":
      return refundedAmount < amount;
    case "REFUND":
      return 1 <= refundedAmount && refundedAmount <= amount;
  }
}
