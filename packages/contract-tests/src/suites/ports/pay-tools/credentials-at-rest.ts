import type { WalletAccount } from "@tillkit/core";
import type { PayToolStore } from "@tillkit/core/ports";
import { describe, expect, it } from "vitest";
import { anAccount, unique } from "../../../support/fixtures.js";
import { expectFailure, expectOk, type Opened } from "../../../support/open-before-each.js";

/** Reads and writes stored credentials, bypassing the store. */
export interface CredentialsAtRest {
  /** Returns the stored text of the credentials of the pay tool `id`. */
  read(id: string): Promise<string>;
  /** Stores `sealed` as the credentials of the pay tool `id`. */
  write(id: string, sealed: string): Promise<void>;
  /** Opens a second store over the same storage, as another process does, with an empty cache. */
  reopened(): PayToolStore;
}

/** A pay tool store that was opened for one test, with access to its stored credentials. */
export interface OpenedPayTools extends Opened<PayToolStore> {
  /** The stored credentials, or the reason why a storage that ends with the process has none. */
  readonly credentialsAtRest: CredentialsAtRest | string;
}

/** Differences between two pay tools, each enough to make credentials unreadable. */
const DIFFERENCES: readonly (readonly [what: string, change: Partial<WalletAccount>])[] = [
  ["app", { appId: "app_2" }],
  ["channel", { payChannel: "WALLET_B" }],
  ["merchant", { accountId: "1900000002" }],
  ["wallet app", { walletAppId: "wx0000000000000002" }],
  ["environment", { appEnv: "PROD" }],
];

/** Tests `PayToolStore`: credentials can be decrypted only in the row of their own pay tool. */
export function credentialsAtRest(
  opened: () => Pick<OpenedPayTools, "port" | "credentialsAtRest">,
  open: () => Promise<OpenedPayTools>,
): void {
  describe("credentials at rest", () => {
    const secret = unique("a secret ");
    const withSecret = (change: Partial<WalletAccount> = {}) =>
      anAccount({ credentials: { privateKey: secret }, ...change });

    it.each(DIFFERENCES)("cannot be decrypted in the row of another %s", async (_what, change) => {
      const { port, credentialsAtRest: atRest } = opened();
      const [mine, other] = [withSecret(), anAccount(change)];
      await expectOk(port.put(mine));
      await expectOk(port.put(other));
      if (typeof atRest === "string") return expectNothingKept(open, mine);
      await atRest.write(other.id, await atRest.read(mine.id));
      const fresh = atRest.reopened();
      expect(await expectFailure(fresh.find(other.id))).toMatchObject({ name: "storage.misconfigured" });
      expect(await expectFailure(fresh.current(other.appId, other.payChannel))).toMatchObject({
        name: "storage.misconfigured",
      });
      expect(await expectOk(fresh.find(mine.id))).toEqual(mine);
    });

    it("do not contain the secret, and are never encrypted to the same text twice", async () => {
      const { port, credentialsAtRest: atRest } = opened();
      const mine = withSecret();
      await expectOk(port.put(mine));
      if (typeof atRest === "string") return expectNothingKept(open, mine);
      const before = await atRest.read(mine.id);
      expect(before).not.toContain(secret);
      await expectOk(port.put(mine));
      expect(await atRest.read(mine.id)).not.toBe(before);
      expect(await expectOk(atRest.reopened().find(mine.id))).toEqual(mine);
    });
  });
}

/** Expects that a storage that ends with the process keeps nothing for the next process. */
async function expectNothingKept(open: () => Promise<OpenedPayTools>, { id }: WalletAccount): Promise<void> {
  const next = await open();
  expect(next.credentialsAtRest).not.toBe("");
  expect(await expectOk(next.port.find(id))).toBeUndefined();
  await next.close();
}
