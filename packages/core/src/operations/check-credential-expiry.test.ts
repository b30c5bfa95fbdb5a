import { errAsync, okAsync } from "neverthrow";
import { describe, expect, it } from "vitest";
import { policyWith } from "../policy.js";
import type { ServiceEvent } from "../events/observer.js";
import { account, stub } from "../testing/stubs.js";
import type { CredentialExpiry, Wallet } from "../wallets/wallet.js";
import { checkCredentialExpiry, type CredentialExpiryPorts } from "./check-credential-expiry.js";
import { orThrow } from "../errors/or-throw.js";
import type { WalletAccount } from "../pay-tools/pay-tool.js";

const DAY = 86_400_000;
const NOW = 100 * DAY;

/**
 * Creates the ports with pay tools whose credentials have these expiries.
 *
 * `throws` makes the adapter throw, and `sealed` makes the storage fail.
 */
function portsWith(tools: Readonly<Record<string, readonly CredentialExpiry[] | "throws" | "sealed">>) {
  const serviceEvents: ServiceEvent[] = [];
  const accounts: readonly WalletAccount[] = Object.keys(tools).map((id) => ({
    ...account,
    id,
    appId: `app-of-${id}`,
    credentials: { secret: "s3cret" },
  }));
  const wallet = stub<Wallet>({
    credentialExpiries: ({ id }) => {
      const found = tools[id];
      if (found === "throws" || found === "sealed" || found === undefined) throw new Error("broken");
      return found;
    },
  });
  const ports: CredentialExpiryPorts = {
    payTools: stub({
      listAll: () => okAsync(accounts),
      find: (id: string) =>
        tools[id] === "sealed"
          ? errAsync({ name: "storage.unavailable", cause: "sealed" } as const)
          : okAsync(accounts.find((one) => one.id === id)),
    }),
    wallets: { WALLET_A: wallet, WALLET_B: wallet },
    clock: { now: () => NOW, sleep: async () => undefined },
    observer: { onEvent: (event) => serviceEvents.push(event) },
    policy: policyWith({ credentialWarning: 30 * DAY }),
  };
  return { ports, serviceEvents };
}

const ending = (name: string, at: number): CredentialExpiry => ({ name, expiresAt: at });

describe("checkCredentialExpiry", () => {
  it("returns the expiries of every pay tool, the earliest first", async () => {
    const { ports } = portsWith({
      one: [ending("platformKeys", 500 * DAY), ending("merchantCertificate", 300 * DAY)],
      two: [ending("appCertificate", 400 * DAY)],
      three: [],
    });
    const { expiries, unread } = await orThrow(checkCredentialExpiry(ports));
    expect(expiries.map(({ payToolId, name }) => `${payToolId} ${name}`)).toEqual([
      "one merchantCertificate",
      "two appCertificate",
      "one platformKeys",
    ]);
    expect(unread).toBe(0);
  });

  it("emits an event only for a credential that has expired or expires within the warning period", async () => {
    const { ports, serviceEvents } = portsWith({
      one: [ending("ended", NOW - DAY), ending("within", NOW + 30 * DAY)],
      two: [ending("later", NOW + 30 * DAY + 1)],
    });
    const { expiries } = await orThrow(checkCredentialExpiry(ports));
    const facts = {
      type: "credential.expiring",
      payChannel: "WALLET_A",
      appId: "app-of-one",
      payToolId: "one",
    };
    expect(serviceEvents).toEqual([
      { ...facts, name: "ended", expiresAt: NOW - DAY },
      { ...facts, name: "within", expiresAt: NOW + 30 * DAY },
      { type: "credentials.checked", expiries, unread: 0 },
    ]);
    expect(JSON.stringify(serviceEvents)).not.toContain("s3cret");
  });

  it("checks the other accounts if one adapter throws or one account cannot be read", async () => {
    const { ports, serviceEvents } = portsWith({ one: "throws", two: "sealed", three: [ending("x", NOW)] });
    const { expiries, unread } = await orThrow(checkCredentialExpiry(ports));
    expect(expiries).toMatchObject([{ payToolId: "three", name: "x" }]);
    expect(unread).toBe(1);
    expect(serviceEvents).toMatchObject([
      { type: "credential.expiring", payToolId: "three" },
      { type: "credentials.checked", expiries: [{ payToolId: "three" }], unread: 1 },
    ]);
  });

  it("fails if no account can be read", async () => {
    const { ports } = portsWith({ one: "sealed", two: "sealed" });
    expect((await checkCredentialExpiry(ports))._unsafeUnwrapErr()).toMatchObject({
      name: "storage.unavailable",
    });
  });

  it("returns nothing without pay tools", async () => {
    const { ports, serviceEvents } = portsWith({});
    expect(await orThrow(checkCredentialExpiry(ports))).toEqual({ expiries: [], unread: 0 });
    expect(serviceEvents).toEqual([{ type: "credentials.checked", expiries: [], unread: 0 }]);
  });
});
