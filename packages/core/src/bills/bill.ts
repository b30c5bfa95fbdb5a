import type { PayTool } from "../pay-tools/pay-tool.js";

/**
 * An account at a wallet's gateway, which gets one bill a day.
 *
 * Several apps can share an account, and so can current and replaced pay tools.
 */
export type Merchant = Pick<PayTool, "payChannel" | "appEnv" | "accountId">;

/** Returns whether two records are of the same merchant account. */
export function isSameBilledMerchant(left: Merchant, right: Merchant): boolean {
  return (
    left.payChannel === right.payChannel && left.appEnv === right.appEnv && left.accountId === right.accountId
  );
}

/** A wallet's bill of one merchant and one day. */
export interface Bill extends Merchant {
  /**
   * `YYYY-MM-DD`, a day in China. Both wallets use China's time zone, independently of
   * `policy.timeZone`.
   */
  readonly day: string;
}

/** A merchant with the pay tools that receive money for it. */
export interface BilledMerchant {
  readonly merchant: Merchant;
  /** The ids of all pay tools of the merchant: of every app, current and replaced. */
  readonly payToolIds: readonly string[];
  /**
   * The pay tool whose credentials request the bill.
   *
   * The most recently changed pay tool whose credentials work. If no pay tool of the merchant has
   * working credentials, the most recently changed one.
   */
  readonly asking: PayTool;
}

/** Groups pay tools by merchant, in the order of each merchant's first pay tool. */
export function billedMerchants(tools: readonly PayTool[]): readonly BilledMerchant[] {
  const byMerchant = new Map<string, readonly PayTool[]>();
  for (const tool of tools) {
    const key = JSON.stringify([tool.payChannel, tool.appEnv, tool.accountId]);
    byMerchant.set(key, [...(byMerchant.get(key) ?? []), tool]);
  }
  return [...byMerchant.values()].flatMap((theirs) => {
    const [asking] = theirs.toSorted(bestFirst);
    if (asking === undefined) return [];
    const { payChannel, appEnv, accountId } = asking;
    return [{ merchant: { payChannel, appEnv, accountId }, payToolIds: theirs.map(({ id }) => id), asking }];
  });
}

function bestFirst(left: PayTool, right: PayTool): number {
  const [leftWorks, rightWorks] = [left, right].map(({ signStatus }) => (signStatus === "OK" ? 1 : 0));
  return (rightWorks ?? 0) - (leftWorks ?? 0) || right.gmtModified - left.gmtModified;
}
