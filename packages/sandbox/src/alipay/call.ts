import type { Result } from "neverthrow";
import type * as z from "zod";
import type { FaultableCall } from "../faults.js";
import type { LedgerOrder, LedgerRefund } from "../ledger-order.js";
import type { RefundCourse } from "../ledger-refunds.js";
import type { Ledger } from "../ledger.js";
import type { PayCodes } from "../pay-codes.js";
import type { NodeMembers, WalletBRefusal } from "./answers.js";
import type { tradeName } from "./biz-content.js";
import type { KnownApp } from "./request.js";
import type { SignedParameters } from "./sign.js";

/** The dependencies of Alipay's methods. */
export interface WalletBCallsOptions {
  readonly ledger: Ledger;
  readonly app: KnownApp;
  readonly clock: { now(): number };
  readonly payCodes: Pick<PayCodes, "take">;
  /** Returns how a refund that is accepted at `at` (epoch milliseconds) proceeds. */
  readonly courseOf: (at: number) => RefundCourse;
  /** Returns whether the wallet refuses every refund because it cannot return its fee. */
  readonly chargeError: () => boolean;
  /** Called once for each accepted refund. */
  readonly refunded: (order: LedgerOrder, refund: LedgerRefund) => void;
  /** Called for each trade that a call closed unpaid. */
  readonly closed: (order: LedgerOrder) => void;
  /** Called for each trade that was paid by a scanned code. */
  readonly paid: (order: LedgerOrder) => void;
}

/**
 * A method of Alipay: its name in the fault settings, or `null`, and its handler.
 *
 * `delivered` is false if the response will not arrive.
 */
export interface WalletBCall {
  readonly call: FaultableCall | null;
  answer(parameters: SignedParameters, delivered: boolean): Result<NodeMembers, WalletBRefusal>;
}

/** Returns the trade that a merchant names. */
export type TradeFinder = (name: z.infer<typeof tradeName>) => Result<LedgerOrder, WalletBRefusal>;
