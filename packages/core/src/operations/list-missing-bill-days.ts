import { ok, type ResultAsync } from "neverthrow";
import { billDay, lastBillDay } from "../bills/bill-day.js";
import { type Bill, billedMerchants, isSameBilledMerchant, type Merchant } from "../bills/bill.js";
import { tookMoney } from "../bills/took-money.js";
import type { StorageFailure } from "../errors/failure.js";
import type { PayTool } from "../pay-tools/pay-tool.js";
import type { Ports } from "../ports.js";
import { attempt } from "../shared/attempt.js";
import { daysBetween, laterOf, setUpOn } from "./list-bill-days.js";
import { firstKeptDay, hasBill, readComparedBills } from "./outdated-bill-days.js";

/** The ports that {@link listMissingBillDays} uses. */
export type MissingBillDayPorts = Pick<
  Ports,
  "billExceptions" | "keptBills" | "payTools" | "orders" | "refunds" | "clock" | "policy"
>;

/** A merchant account with days whose bills were not compared. */
export interface MissingBillDays extends Merchant {
  /** The days in China, `YYYY-MM-DD`, the oldest first. Not empty. */
  readonly days: readonly string[];
}

/**
 * Lists the merchant accounts with days whose bills should have been compared and were not.
 *
 * A day counts as missing from `policy.billDayOverdue` after its end. It counts as missing again if
 * a decision about a missing line needs another comparison. Covers the last 92 days, whose bills
 * the wallets keep, but no day before the account was set up. Leaves out DEV accounts, and any
 * account that has no working credentials and took no money on the missing days.
 *
 * @returns the accounts with their missing days. Empty if every bill was compared.
 * @example
 * ```ts
 * import { listMissingBillDays } from "@tillkit/core";
 *
 * const missing = await listMissingBillDays(ports);
 * if (missing.isOk()) console.log(missing.value);
 * ```
 */
export function listMissingBillDays(
  ports: MissingBillDayPorts,
): ResultAsync<readonly MissingBillDays[], StorageFailure> {
  return attempt(async () => {
    const until = lastBillDay(ports.clock.now() - ports.policy.billDayOverdue);
    const from = firstKeptDay(until);
    const tools = await ports.payTools.listAll();
    if (tools.isErr()) return tools;
    const comparison = await readComparedBills(ports, from, until);
    if (comparison.isErr()) return comparison;
    const { compared, outdated } = comparison.value;
    return missingDaysOf(ports, tools.value, {
      from,
      until,
      done: compared.filter((bill) => !hasBill(outdated, bill)),
      covers: ({ appEnv }) => appEnv !== "DEV",
    });
  });
}

/** The days that {@link missingDaysOf} looks at. */
interface BillDaysSought {
  /** The first and the last day in China, `YYYY-MM-DD`. */
  readonly from: string;
  readonly until: string;
  /** The bills that do not count as missing. */
  readonly done: readonly Bill[];
  /** Returns whether an account is looked at. */
  readonly covers: (merchant: Merchant) => boolean;
}

/**
 * Returns the accounts with days whose bills should exist and are not in `done`.
 *
 * An account has bills from the day on which it was set up. An account without working credentials
 * counts only if it took money on the missing days.
 */
export function missingDaysOf(
  ports: Pick<Ports, "orders" | "refunds">,
  tools: readonly PayTool[],
  { from, until, done, covers }: BillDaysSought,
): ResultAsync<readonly MissingBillDays[], StorageFailure> {
  return attempt(async () => {
    const missing: MissingBillDays[] = [];
    for (const billed of billedMerchants(tools)) {
      const { merchant } = billed;
      if (!covers(merchant)) continue;
      const doneDays = new Set(
        done.filter((bill) => isSameBilledMerchant(merchant, bill)).map(({ day }) => day),
      );
      const days = daysBetween(laterOf(from, setUpOn(billed, tools)), until).filter(
        (day) => !doneDays.has(day),
      );
      const [oldest] = days;
      const newest = days.at(-1);
      if (oldest === undefined || newest === undefined) continue;
      if (billed.asking.signStatus === "NO") {
        const range = { startsAt: billDay(oldest).startsAt, endsAt: billDay(newest).endsAt };
        const took = await tookMoney(ports, billed, range);
        if (took.isErr()) return took;
        if (!took.value) continue;
      }
      missing.push({ ...merchant, days });
    }
    return ok(missing);
  });
}
