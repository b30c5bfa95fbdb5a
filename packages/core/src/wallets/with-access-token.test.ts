import { errAsync, okAsync } from "neverthrow";
import { describe, expect, it } from "vitest";
import { defaultPolicy } from "../policy.js";
import { account, stub } from "../testing/stubs.js";
import type { AccessTokenStore, StoredAccessToken } from "./access-token-store.js";
import { claimLease } from "./claim-lease.js";
import type { AccessTokenRefused } from "./shipments.js";
import type { Wallet, WalletFailure, WalletShipments } from "./wallet.js";
import { type AccessTokenPorts, withAccessToken } from "./with-access-token.js";
import { orThrow } from "../errors/or-throw.js";

const LIFE = 6_900_000;
const REFUSED: AccessTokenRefused = { name: "access-token.refused" };
const DOWN: WalletFailure = { name: "wallet.unknown", cause: "server-error", detail: "-1" };

/** Opens processes with one store, a wallet with many tokens, and a clock that moves in pauses. */
function openProcesses() {
  let now = 0;
  let ids = 0;
  let held: { token?: StoredAccessToken; claim?: { id: string; until: number } } = {};
  const accessTokens: AccessTokenStore = {
    claim: (_, { id, now: at, until }) => {
      const { token, claim } = held;
      if (token !== undefined && token.expiresAt > at) return okAsync({ kind: "token", token } as const);
      if (claim !== undefined && claim.until > at) return okAsync({ kind: "claimed-by-another" } as const);
      held = { claim: { id, until } };
      return okAsync({ kind: "granted" } as const);
    },
    save: (_, token) => {
      const isMine = held.claim?.id === token.id;
      if (isMine) held = { token };
      return okAsync(isMine);
    },
    release: (_, id) => {
      if (held.claim?.id === id) held = {};
      return okAsync(undefined);
    },
    remove: (_, id) => {
      if (held.token?.id === id) held = {};
      return okAsync(undefined);
    },
  };
  const pauses = {
    now: () => now,
    sleep: (ms: number) => {
      now += ms;
      return Promise.resolve();
    },
  };
  const ports: AccessTokenPorts = {
    accessTokens,
    wallets: { WALLET_A: stub<Wallet>({}), WALLET_B: stub<Wallet>({}) },
    clock: stub(pauses),
    random: { bytes: (count) => new Uint8Array(count).fill((ids += 1)) },
    observer: { onEvent: () => undefined },
    policy: defaultPolicy,
  };
  let requested = 0;
  const answers: WalletFailure[] = [];
  const shipments = stub<WalletShipments>({
    requestAccessToken: () => {
      const failure = answers.shift();
      requested += 1;
      return failure === undefined
        ? okAsync({ token: `token-${String(requested)}`, expiresAt: now + LIFE })
        : errAsync(failure);
    },
  });
  const used: string[] = [];
  /** Calls the wallet, which refuses the tokens for which `isRefused` is true. */
  const call = (isRefused: (token: string) => boolean = () => false) =>
    withAccessToken<string>(ports, account, shipments, (token) => {
      used.push(token);
      return isRefused(token) ? errAsync(REFUSED) : okAsync(token);
    });
  return {
    call,
    used,
    requested: () => requested,
    failNext: (failure: WalletFailure) => void answers.push(failure),
    claim: (id: string) => accessTokens.claim(account.id, { id, now, until: now + claimLease(ports.policy) }),
    advance: (ms: number) => void (now += ms),
    now: () => now,
  };
}

describe("withAccessToken", () => {
  it("requests one token for concurrent calls of all processes, until it expires", async () => {
    const { call, requested, advance } = openProcesses();
    const tokens = await Promise.all([call(), call(), call()]);
    expect(tokens.map((token) => orThrow(token))).toEqual(["token-1", "token-1", "token-1"]);
    expect(requested()).toBe(1);
    advance(LIFE);
    expect(await orThrow(call())).toBe("token-2");
    expect(requested()).toBe(2);
  });

  it("repeats calls whose token is refused once, with one other token", async () => {
    const { call, requested, used } = openProcesses();
    await call();
    const isRevoked = (token: string) => token === "token-1";
    const results = await Promise.all([call(isRevoked), call(isRevoked), call(isRevoked)]);
    expect(results.map((token) => orThrow(token))).toEqual(["token-2", "token-2", "token-2"]);
    expect(requested()).toBe(2);
    expect(used.slice(1).join()).toBe("token-1,token-1,token-1,token-2,token-2,token-2");
  });

  it("ends after the second refused token", async () => {
    const { call, requested, used } = openProcesses();
    expect((await call(() => true))._unsafeUnwrapErr()).toEqual(REFUSED);
    expect(used).toEqual(["token-1", "token-2"]);
    expect(requested()).toBe(2);
  });

  it("lets the next call request a token at once after a failed request", async () => {
    const { call, requested, failNext, used, now } = openProcesses();
    failNext(DOWN);
    expect((await call())._unsafeUnwrapErr()).toEqual(DOWN);
    expect(used).toEqual([]);
    expect(await orThrow(call())).toBe("token-2");
    expect([requested(), now()]).toEqual([2, 0]);
  });

  it("waits for a dead process only until the deadline, and requests the token after the lease", async () => {
    const { call, requested, claim, advance, now } = openProcesses();
    await claim("of a dead process");
    expect((await call())._unsafeUnwrapErr()).toMatchObject({ name: "wallet.unknown", cause: "timeout" });
    expect(requested()).toBe(0);
    expect(now()).toBeLessThanOrEqual(defaultPolicy.walletDeadline + 100);
    advance(claimLease(defaultPolicy) - now());
    expect(await orThrow(call())).toBe("token-1");
  });
});
