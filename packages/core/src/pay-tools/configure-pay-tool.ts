import { ok, type ResultAsync } from "neverthrow";
import type { FailureOf } from "../errors/failure.js";
import { activeApp } from "../apps/create-app.js";
import type { Ports } from "../ports.js";
import { newId } from "../shared/random.js";
import { steps } from "../shared/steps.js";
import type { PayTool, WalletAccount } from "./pay-tool.js";

/** What an operator sets up at one wallet for one app. */
export type ConfigurePayToolInput = Omit<
  WalletAccount,
  "id" | "appId" | "signStatus" | "gmtCreate" | "gmtModified"
>;

/** The stored tool, and in words what is wrong with its credentials; none when `signStatus` is `OK`. */
export interface ConfiguredPayTool {
  readonly payTool: PayTool;
  readonly problems: readonly string[];
}

/**
 * Stores the credentials and says whether they work: `signStatus` is `OK` only when the wallet adapter can sign and verify with them.
 * Same merchant and wallet app: the keys rotate in place. Another merchant: a new tool, and the old one serves its old orders.
 */
export function configurePayTool(
  ports: Pick<Ports, "apps" | "payTools" | "wallets" | "clock" | "random">,
  appId: string,
  input: ConfigurePayToolInput,
): ResultAsync<ConfiguredPayTool, FailureOf<"credentials.invalid" | "storage.unavailable">> {
  return steps(async function* () {
    yield* activeApp(ports, appId);
    const now = ports.clock.now();
    const untested = {
      ...input,
      id: newId(ports),
      appId,
      signStatus: "NO",
      gmtCreate: now,
      gmtModified: now,
    } as const;
    const problems = await ports.wallets[input.payChannel].checkAccount(untested);
    const tested: WalletAccount = { ...untested, signStatus: problems.length === 0 ? "OK" : "NO" };
    const { credentials: _secret, ...payTool } = yield* ports.payTools.put(tested);
    return ok({ payTool, problems });
  });
}
