import { errAsync, okAsync } from "neverthrow";
import { describe, expect, it } from "vitest";
import type { PayToolStore } from "../pay-tools/pay-tool-store.js";
import { defaultPolicy } from "../policy.js";
import { account, stub } from "../testing/stubs.js";
import type { AccountProblem } from "../pay-tools/account-problem.js";
import type { CredentialExpiry, Wallet } from "../wallets/wallet.js";
import { inspectPayTool } from "./inspect-pay-tool.js";

const NOW = Date.parse("2026-05-10T12:00:00+08:00");
const DAY = 86_400_000;
const { credentials: _none, ...TOOL } = account;
const NOT_READY = { ...TOOL, signStatus: "NO" } as const;
const MALFORMED: AccountProblem = {
  code: "malformed",
  field: "apiV3Key",
  message: { en: "apiV3Key is wrong", zh: "apiV3Key 有误" },
};
const EXPIRED: AccountProblem = {
  code: "expired",
  field: "merchantCertificate",
  message: { en: "merchantCertificate is over", zh: "merchantCertificate 已过期" },
};

function portsOf(wallet: Partial<Wallet>, find: PayToolStore["find"] = () => okAsync(account)) {
  const walletA: Wallet = stub({
    credentialNames: ["apiV3Key", "merchantCertificate"],
    checkAccount: async () => [],
    credentialExpiries: () => [],
    ...wallet,
  });
  return {
    payTools: stub<PayToolStore>({ find }),
    wallets: { WALLET_A: walletA, WALLET_B: stub<Wallet>({}) },
    clock: { now: () => NOW, sleep: async () => undefined },
    policy: defaultPolicy,
  };
}

const expiring = (...expiries: readonly CredentialExpiry[]) => ({ credentialExpiries: () => expiries });

describe("inspectPayTool", () => {
  it("finds nothing wrong with a pay tool that works", async () => {
    const far = { name: "merchantCertificate", expiresAt: NOW + defaultPolicy.credentialWarning + 1 };
    const inspected = await inspectPayTool(portsOf(expiring(far)), TOOL, "en");
    const credentialNames = [
      { name: "apiV3Key", isSet: false },
      { name: "merchantCertificate", isSet: false },
    ];
    expect(inspected).toEqual({ problems: [], credentials: [far], credentialNames });
  });

  it("returns what the adapter finds, in the language of the reader", async () => {
    const ports = portsOf({ checkAccount: async () => [MALFORMED] });
    expect((await inspectPayTool(ports, NOT_READY, "en")).problems).toEqual([
      { code: "malformed", text: "apiV3Key is wrong" },
    ]);
    expect((await inspectPayTool(ports, NOT_READY, "zh")).problems).toEqual([
      { code: "malformed", text: "apiV3Key 有误" },
    ]);
  });

  it("explains the signStatus NO if its cause is gone", async () => {
    const { problems } = await inspectPayTool(portsOf({}), NOT_READY, "en");
    expect(problems).toMatchObject([{ code: "set-again" }]);
    expect((await inspectPayTool(portsOf({}), TOOL, "en")).problems).toEqual([]);
  });

  it("explains that credentials cannot be read", async () => {
    for (const find of [
      () => errAsync({ name: "storage.unavailable", cause: "no key" } as const),
      () => okAsync(undefined),
    ]) {
      const inspected = await inspectPayTool(portsOf({}, find), TOOL, "zh");
      expect(inspected).toMatchObject({ problems: [{ code: "credentials-unreadable" }], credentials: [] });
      expect(inspected.problems[0]?.text).toContain("无法读取");
    }
  });

  it("warns of certificates that have expired or expire soon, with the day on which they expire", async () => {
    const expiries = [
      { name: "merchantCertificate", expiresAt: NOW },
      { name: "platformKeys", expiresAt: NOW + DAY },
    ];
    const { problems, credentials } = await inspectPayTool(portsOf(expiring(...expiries)), TOOL, "en");
    expect(problems.map(({ code }) => code)).toEqual(["expired", "expiring"]);
    expect(problems[0]?.text).toContain("merchantCertificate expired on 2026-05-10");
    expect(problems[1]?.text).toContain("platformKeys expires on 2026-05-11");
    expect(credentials).toEqual(expiries);
  });

  it("reports an expired certificate once", async () => {
    const ports = portsOf({
      checkAccount: async () => [EXPIRED],
      ...expiring({ name: "merchantCertificate", expiresAt: NOW - DAY }),
    });
    expect((await inspectPayTool(ports, NOT_READY, "en")).problems).toEqual([
      { code: "expired", text: "merchantCertificate is over" },
    ]);
  });

  it("returns a problem if the adapter throws", async () => {
    const thrown = () => {
      throw new Error("s3cret");
    };
    const ports = portsOf({ checkAccount: async () => thrown(), credentialExpiries: thrown });
    const inspected = await inspectPayTool(ports, TOOL, "en");
    expect(inspected).toMatchObject({ problems: [{ code: "other" }], credentials: [] });
    expect(JSON.stringify(inspected)).not.toContain("s3cret");
  });
});
