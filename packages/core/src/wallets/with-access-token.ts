import { err, ok, type Result, type ResultAsync } from "neverthrow";
import type { StorageFailure } from "../errors/failure.js";
import type { WalletAccount } from "../pay-tools/pay-tool.js";
import type { Ports } from "../ports.js";
import { attempt } from "../shared/attempt.js";
import { newId } from "../shared/random.js";
import type { StoredAccessToken } from "./access-token-store.js";
import { aboutAccount, callWallet } from "./call-wallet.js";
import { claimLease } from "./claim-lease.js";
import type { AccessTokenRefused } from "./shipments.js";
import { limitsUntil } from "./limits-until.js";
import type { CallLimits, WalletFailure, WalletShipments } from "./wallet.js";

/** Ports of `withAccessToken`. */
export type AccessTokenPorts = Pick<
  Ports,
  "accessTokens" | "wallets" | "clock" | "random" | "observer" | "policy"
>;

const SHORTEST_PAUSE = 5;
const LONGEST_PAUSE = 100;

/**
 * Calls a wallet with the access token of the pay tool.
 *
 * All processes share the stored token. If there is no valid token, one caller requests a new
 * token, and the others poll storage for it. If the wallet refuses the token, the call is repeated
 * once with another token.
 *
 * `policy.walletDeadline` is the deadline for all steps together.
 */
export function withAccessToken<T>(
  ports: AccessTokenPorts,
  account: WalletAccount,
  shipments: WalletShipments,
  call: (token: string, limits: CallLimits) => ResultAsync<T, WalletFailure | AccessTokenRefused>,
): ResultAsync<T, WalletFailure | AccessTokenRefused | StorageFailure> {
  return attempt(async () => {
    const endsAt = ports.clock.now() + ports.policy.walletDeadline;
    const first = await findToken(ports, account, shipments, endsAt);
    if (first.isErr()) return err(first.error);
    const answer = await call(first.value.token, limitsUntil(ports, endsAt));
    if (answer.isOk() || answer.error.name !== "access-token.refused") return answer;
    const removed = await ports.accessTokens.remove(account.id, first.value.id);
    if (removed.isErr()) return err(removed.error);
    const second = await findToken(ports, account, shipments, endsAt);
    return second.isErr() ? err(second.error) : call(second.value.token, limitsUntil(ports, endsAt));
  });
}

async function findToken(
  ports: AccessTokenPorts,
  account: WalletAccount,
  shipments: WalletShipments,
  endsAt: number,
): Promise<Result<StoredAccessToken, WalletFailure | StorageFailure>> {
  const id = newId(ports);
  const patience = ports.policy.walletDeadline;
  let waitTime = 0;
  for (let pause = SHORTEST_PAUSE; ; pause = Math.min(2 * pause, LONGEST_PAUSE)) {
    const now = ports.clock.now();
    const claim = { id, now, until: now + claimLease(ports.policy) };
    const grant = await ports.accessTokens.claim(account.id, claim);
    if (grant.isErr()) return err(grant.error);
    if (grant.value.kind === "token") return ok(grant.value.token);
    if (grant.value.kind === "granted") return requestToken(ports, account, shipments, { id, endsAt });
    // Counts the pauses as well, so that the loop ends even if the clock stands still.
    if (now >= endsAt || waitTime >= patience) return err(NO_TOKEN_IN_TIME);
    await ports.clock.sleep(pause);
    waitTime += pause;
  }
}

async function requestToken(
  ports: AccessTokenPorts,
  account: WalletAccount,
  shipments: WalletShipments,
  { id, endsAt }: { readonly id: string; readonly endsAt: number },
): Promise<Result<StoredAccessToken, WalletFailure | StorageFailure>> {
  const answer = await callWallet(ports, aboutAccount(account), "requestAccessToken", () =>
    shipments.requestAccessToken(account, limitsUntil(ports, endsAt)),
  );
  if (answer.isErr()) {
    const released = await ports.accessTokens.release(account.id, id);
    return err(released.isErr() ? released.error : answer.error);
  }
  const token = { ...answer.value, id };
  // If the claim was lost, another caller has stored another token, but this token works as well.
  return (await ports.accessTokens.save(account.id, token)).map(() => token);
}

const NO_TOKEN_IN_TIME: WalletFailure = {
  name: "wallet.unknown",
  cause: "timeout",
  detail: "another process is still requesting the access token",
};
