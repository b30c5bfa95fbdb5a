import type { PayTool } from "../pay-tools/pay-tool.js";

/** Who a bill is made for: an account at a wallet's gateway. Several apps may share one, and so may their pay tools of before. */
export type Merchant = Pick<PayTool, "payChannel" | "appEnv" | "accountId">;

/** A wallet's bill of one merchant and one day. */
export interface Bill extends Merchant {
  /** `YYYY-MM-DD`, a day in China, whatever `policy.timeZone` is: that is both wallets' rule. */
  readonly day: string;
}

/** A merchant with the pay tools that take money for it. */
export interface BilledMerchant {
  readonly merchant: Merchant;
  /** The pay tools of all its orders: of every app, current and replaced. */
  readonly payToolIds: readonly string[];
  /** The tool whose credentials ask for the bill: one that works, the one configured last. */
  readonly asking: PayTool;
}

/** The merchants behind `tools`, in the order of their first tools. */
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
