import type { AccountProblem } from "./account-problem.js";
import type { WalletAccount } from "./pay-tool.js";

/** Returns `signStatus` of a pay tool: `OK` if its credentials have no problem. */
export function signStatusOf(problems: readonly AccountProblem[]): WalletAccount["signStatus"] {
  return problems.length === 0 ? "OK" : "NO";
}
