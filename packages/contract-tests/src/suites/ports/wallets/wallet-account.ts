import { ACCOUNT_PROBLEM_CODES } from "@tillkit/core/ports";
import { describe, expect, it } from "vitest";
import { expectFailure, expectOk } from "../../../support/open-before-each.js";
import { LIMITS, SKEW, type WalletFixture } from "../../../support/wallet/wallet-fixture.js";

/** Tests the credentials of a `Wallet`. A test double may declare that it accepts all. */
export function walletAccount(fixture: WalletFixture): void {
  const { wallet, aRequest, aNotification } = fixture;
  const takesAny = () => wallet().takesAnyCredentials !== undefined;
  const broken = () => ({ ...wallet().account, credentials: {} });

  describe("credentialNames", () => {
    it("contains the name of each working credential once", () => {
      const { credentialNames, account } = wallet();
      expect(credentialNames).toEqual(expect.arrayContaining(Object.keys(account.credentials)));
      expect(new Set(credentialNames).size).toBe(credentialNames.length);
    });
  });

  describe("checkAccount", () => {
    it("returns no problem for working credentials", async () => {
      expect(await wallet().checkAccount(wallet().account)).toEqual([]);
    });

    it("describes missing credentials", async () => {
      const problems = await wallet().checkAccount(broken());
      if (takesAny()) expect(problems).toEqual([]);
      else expect(problems).not.toEqual([]);
    });

    it("describes each invalid credential, and does not repeat it", async () => {
      const names = Object.keys(wallet().account.credentials);
      expect(names).not.toEqual([]);
      for (const name of names) {
        const credentials = { ...wallet().account.credentials, [name]: "secret-garbage" };
        const problems = await wallet().checkAccount({ ...wallet().account, credentials });
        if (takesAny()) expect(problems, name).toEqual([]);
        else expect(problems, name).not.toEqual([]);
        expect(JSON.stringify(problems), name).not.toContain("secret-garbage");
        for (const { code, field, message } of problems) {
          expect(ACCOUNT_PROBLEM_CODES).toContain(code);
          expect(field).not.toBe("");
          expect(message.en).toMatch(/^[\x20-\x7e…]+$/);
          expect(message.zh).toMatch(/\p{Script=Han}/u);
        }
      }
    });
  });

  describe("credentialExpiries", () => {
    it("returns each expiry of working credentials once, all in the future", () => {
      const expiries = wallet().credentialExpiries(wallet().account);
      const names = expiries.map(({ name }) => name);
      expect(new Set(names).size).toBe(names.length);
      for (const { name, expiresAt } of expiries) {
        expect(Object.keys(wallet().account.credentials)).toContain(name);
        expect(Number.isSafeInteger(expiresAt)).toBe(true);
        expect(expiresAt).toBeGreaterThan(wallet().now());
      }
    });

    it("returns nothing for credentials that do not work, and contains no credential", () => {
      const { account } = wallet();
      const garbage = Object.fromEntries(
        Object.keys(account.credentials).map((name) => [name, "secret-garbage"]),
      );
      for (const credentials of [{}, garbage]) {
        const expiries = wallet().credentialExpiries({ ...account, credentials });
        if (!takesAny()) expect(expiries).toEqual([]);
        expect(JSON.stringify(expiries)).not.toContain("secret-garbage");
      }
    });
  });

  describe("credentials that do not work", () => {
    it("reject a prepayment with the reason `configuration`", async () => {
      const request = aRequest({ paySource: "NATIVE" });
      const prepared = wallet().prepare(broken(), request, LIMITS);
      if (takesAny()) expect(await expectOk(prepared)).toHaveProperty("values");
      else
        expect(await expectFailure(prepared)).toMatchObject({
          name: "wallet.rejected",
          reason: "configuration",
        });
    });

    it("authenticate no notification", async () => {
      const { notification } = await aNotification();
      const time = { now: wallet().now(), skew: SKEW };
      const event = wallet().readNotification(broken(), notification, time);
      if (takesAny()) expect(await expectOk(event)).toMatchObject({ kind: "payment" });
      else expect((await expectFailure(event)).name).toBe("notification.refused");
    });
  });
}
