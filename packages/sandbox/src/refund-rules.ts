import * as z from "zod";
import { DEPOSIT_BACKS, REFUND_OUTCOMES } from "./ledger-order.js";
import type { RefundCourse } from "./ledger-refunds.js";

const TEN_YEARS = 10 * 366 * 86_400_000;
const takes = z.int().min(0).max(TEN_YEARS).nullable();

const walletARules = z.strictObject({
  /** Milliseconds from acceptance to the end; `null` if only a control call ends the refund. */
  takes,
  ends: z.enum(REFUND_OUTCOMES),
  /** Whether the wallet refuses a second refund call for one order within a minute. */
  oneAMinute: z.boolean(),
  /** Whether the merchant's money is unsettled: a refund must name the account AVAILABLE. */
  unsettled: z.boolean(),
});
const walletBRules = z.strictObject({
  takes,
  ends: z.enum(["SUCCESS", "CLOSED"]),
  /** Whether the wallet refuses every refund because it cannot return its fee. */
  chargeError: z.boolean(),
  /** The state at the customer's bank; `null` if no bank takes part. */
  depositBack: z.enum(DEPOSIT_BACKS).nullable(),
});

/** How the wallets process new refunds. */
export interface RefundRules {
  readonly walletA: z.infer<typeof walletARules>;
  readonly walletB: z.infer<typeof walletBRules>;
}

/** A change of the rules. Omitted members stay; `null` for a wallet resets it. */
export const refundRulesChange = z.strictObject({
  walletA: walletARules.partial().nullable().optional(),
  walletB: walletBRules.partial().nullable().optional(),
});

/** Holds the refund rules of one sandbox. */
export interface RefundRuleSettings {
  now(): RefundRules;
  change(change: z.infer<typeof refundRulesChange>): RefundRules;
  /** Returns how a refund that a wallet accepts at `at` (epoch milliseconds) proceeds. */
  courseOf(wallet: keyof RefundRules, at: number): RefundCourse;
}

/**
 * Creates the refund rules of a sandbox, with the defaults.
 *
 * @param usual - how long a refund takes at each wallet, in milliseconds.
 */
export function createRefundRuleSettings(
  usual: Readonly<Record<keyof RefundRules, number>>,
): RefundRuleSettings {
  const quiet: RefundRules = {
    walletA: { takes: usual.walletA, ends: "SUCCESS", oneAMinute: false, unsettled: false },
    walletB: { takes: usual.walletB, ends: "SUCCESS", chargeError: false, depositBack: null },
  };
  let rules = quiet;
  return {
    now: () => rules,
    change: ({ walletA, walletB }) => {
      rules = {
        walletA: walletA === null ? quiet.walletA : walletARules.parse({ ...rules.walletA, ...walletA }),
        walletB: walletB === null ? quiet.walletB : walletBRules.parse({ ...rules.walletB, ...walletB }),
      };
      return rules;
    },
    courseOf: (wallet, at) => {
      const { takes, ends } = rules[wallet];
      return {
        outcome: ends,
        settlesAt: takes === null ? null : at + takes,
        depositBack: wallet === "walletB" ? rules.walletB.depositBack : null,
      };
    },
  };
}
