import * as z from "zod";
import { PAY_CHANNELS, type PayChannel } from "../pay-tools/pay-tool.js";
import { complain, line, optionalLine, perPolicy, textLimit, wellFormed } from "../shared/input.js";
import { utf8 } from "../shared/text.js";
import { PAY_SOURCES, type PaySource } from "../wallets/pay-source.js";
import type { Prepayment } from "../wallets/prepayment.js";
import { isForeignPayerId, isOffered, needsPayerId } from "./pay-source-rules.js";

/** The states of an order. Source: BEHAVIOUR, "Orders", state machine. */
export const PAYMENT_STATUSES = ["PENDING", "PAID", "CLOSE", "REFUND"] as const;
/** The state of an order. */
export type PaymentStatus = (typeof PAYMENT_STATUSES)[number];

/** The accepted app-store tokens. */
export const SOURCES_FROM = [
  ...Array.from({ length: 16 }, (_, index) => `store_${String(index + 1).padStart(2, "0")}`),
  "others",
];

/** What names an order within the service, for ever. */
export interface OrderKey {
  readonly appId: string;
  readonly bizNo: string;
}

/** The right of one process to ask the wallet for the prepayment, for as long as one call may take. */
export interface PrepaymentClaim {
  readonly id: string;
  /** Epoch milliseconds after which another process may claim. */
  readonly until: number;
}

/** The timed service an order buys, as it was when the order was made. */
export interface OrderService {
  readonly serviceTypeNo: string;
  readonly serviceName: string;
  /** Milliseconds added to the customer's service when the order becomes PAID. */
  readonly durationMs: number;
}

/** One payment order. Amounts are cents, times epoch milliseconds. Source: payments spec, "Order record". */
export interface Order extends OrderKey {
  /** Assigned by the service; also the wallets' `out_trade_no`. */
  readonly id: string;
  /** Empty when an app without accounts gave none. */
  readonly customerIdentity: string;
  readonly customerName?: string;
  readonly amount: number;
  readonly goodsTitle: string;
  readonly payChannel: PayChannel;
  readonly paySource: PaySource;
  /** The customer's id at the wallet. Present exactly if the `paySource` needs one. No answer, log or event holds it. */
  readonly payerId?: string;
  readonly paymentStatus: PaymentStatus;
  readonly serviceNo?: string;
  readonly service?: OrderService;
  /** Exactly the text that was sent. */
  readonly attachData?: string;
  readonly sourceFrom?: string;
  /** The pay tool whose merchant takes the money. */
  readonly payToolId: string;
  /** Where the wallet reports; part of what the wallet freezes with the order. */
  readonly notifyUrl: string;
  /** Where WALLET_B sends the customer's browser after the payment; frozen at the wallet as well. */
  readonly returnUrl: string;
  /** Last instant at which the customer may pay; told to the wallet, and frozen with the order. */
  readonly expiresAt: number;
  readonly prepayment?: Prepayment;
  readonly prepaymentClaim?: PrepaymentClaim;
  /** When the money was paid, by the wallet's clock. */
  readonly pmtDt?: number;
  /** The wallet's own number of the payment. */
  readonly walletTradeNo?: string;
  /** Sum of the confirmed refunds. */
  readonly refundedAmount: number;
  /** When the wallet is to be asked next; absent when there is nothing to ask. */
  readonly nextQueryAt?: number;
  /** When a read last caused a question to the wallet. */
  readonly queriedAt?: number;
  readonly gmtCreate: number;
  readonly gmtModified: number;
}

/**
 * The body of POST /order.json. `attachData` stays the text it is.
 *
 * Rules between parameters are checked once every single parameter is valid.
 */
export const createOrderInput = perPolicy((policy) =>
  z
    .object({
      amount: z
        .int(complain("amount.invalid"))
        .min(1, complain("amount.invalid"))
        .max(policy.maxAmount, complain("amount.invalid")),
      bizNo: bizNo(policy.maxBizNoLength),
      goodsTitle: line(policy.maxGoodsTitleLength),
      payChannel: z.enum(PAY_CHANNELS, complain("pay-channel.invalid")),
      paySource: z.enum(PAY_SOURCES, complain("pay-source.invalid")).default("APP"),
      payerId: optionalPayerId(policy.maxPayerIdLength),
      customerIdentity: optionalLine(policy.maxCustomerIdentityLength),
      customerName: optionalLine(policy.maxCustomerNameLength),
      serviceNo: optionalLine(policy.maxServiceNoLength),
      serviceTypeNo: optionalLine(policy.maxServiceNoLength),
      attachData: wellFormed()
        .refine((text) => !text.includes("\u0000"), complain("null-character"))
        .refine((text) => utf8(text).length <= policy.maxAttachDataBytes, complain("attach-data.too-large"))
        .meta({
          ...textLimit(policy.maxAttachDataBytes),
          description: `At most ${policy.maxAttachDataBytes} bytes of UTF-8.`,
        })
        .optional(),
      sourceFrom: z.enum(SOURCES_FROM, complain("source-from.invalid")).optional(),
    })
    .refine(isOffered, { path: ["paySource"], ...complain("pay-source.unavailable"), when: isValidSoFar })
    .refine((input) => !needsPayerId(input) || input.payerId !== undefined, {
      path: ["payerId"],
      ...complain("parameter.missing"),
      when: isValidSoFar,
    })
    .refine((input) => !needsPayerId(input) || !isForeignPayerId(input, policy), {
      path: ["payerId"],
      ...complain("payer-id"),
      when: isValidSoFar,
    })
    .brand<"CreateOrderInput">(),
);

/** A valid request for an order: what `parseInput(createOrderInput(policy), …)` returns. */
export type CreateOrderInput = z.output<ReturnType<typeof createOrderInput>>;

/** A `bizNo`: visible ASCII characters. */
export function bizNo(maxLength: number) {
  return line(maxLength).refine(isVisibleAscii, complain("visible-ascii"));
}

function optionalPayerId(maxLength: number) {
  return optionalLine(maxLength).refine(
    (text) => text === undefined || isVisibleAscii(text),
    complain("visible-ascii"),
  );
}

function isVisibleAscii(text: string): boolean {
  return /^[\x21-\x7e]*$/.test(text);
}

function isValidSoFar({ issues }: { readonly issues: readonly unknown[] }): boolean {
  return issues.length === 0;
}
