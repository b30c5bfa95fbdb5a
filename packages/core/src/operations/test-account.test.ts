import { errAsync, okAsync } from "neverthrow";
import { expect, it } from "vitest";
import { defaultPolicy } from "../policy.js";
import { account, stub } from "../testing/stubs.js";
import type { Wallet } from "../wallets/wallet.js";
import { testAccount } from "./test-account.js";

function portsWith(query: Wallet["query"]): Parameters<typeof testAccount>[0] {
  const wallet = stub<Wallet>({ query });
  return {
    wallets: { WALLET_A: wallet, WALLET_B: wallet },
    clock: { now: () => 1_000, sleep: async () => undefined },
    random: { bytes: (count) => new Uint8Array(count) },
    observer: { onEvent: () => undefined },
    policy: defaultPolicy,
  };
}

it("succeeds if the wallet reports that there is no such order", async () => {
  const requests: [string, string][] = [];
  const ports = portsWith(({ id }, outTradeNo) => {
    requests.push([id, outTradeNo]);
    return okAsync(undefined);
  });
  expect((await testAccount(ports, account)).isOk()).toBe(true);
  expect(requests).toEqual([[account.id, expect.stringMatching(/^[0-9A-Z]{26}$/)]]);
});

it("succeeds if the report is unsigned, from a wallet that signs no refusals", async () => {
  const absent = { name: "wallet.rejected", reason: "absent", trusted: false, detail: "404" } as const;
  const result = await testAccount(
    portsWith(() => errAsync(absent)),
    account,
  );
  expect(result.isOk()).toBe(true);
});

it("gives the wallet's own words when it refuses the account", async () => {
  const refusal = {
    name: "wallet.rejected",
    reason: "configuration",
    trusted: false,
    detail: "SIGN_ERROR",
  } as const;
  const result = await testAccount(
    portsWith(() => errAsync(refusal)),
    account,
  );
  expect(result._unsafeUnwrapErr()).toEqual(refusal);
});

it("knows nothing when the adapter throws", async () => {
  const result = await testAccount(
    portsWith(() => {
      throw new Error("broken");
    }),
    account,
  );
  expect(result._unsafeUnwrapErr()).toMatchObject({ name: "wallet.unknown" });
});
