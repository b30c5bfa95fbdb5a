import type { Stores } from "@tillkit/core";
import { isActiveAdmin, type OperatorGrant, type SecondFactorChange } from "@tillkit/core/ports";
import { describe, expect, it } from "vitest";
import { aHash, CONCURRENT_CALLERS, FIXTURE_TIME } from "../../../support/fixtures.js";
import { expectOk, type Opened, openBeforeEach, race } from "../../../support/open-before-each.js";
import { anAuditEntry, anOperatorAccount, anOperatorSession } from "../../../support/operator-fixtures.js";

const later = FIXTURE_TIME + 500;
const audit = anAuditEntry();

/** Tests every requirement of `OperatorStore`. `open` returns empty stores for each test. */
export function operatorStoreContract(adapter: string, open: () => Promise<Opened<Stores>>): void {
  describe(`OperatorStore contract: ${adapter}`, () => {
    const stores = openBeforeEach(open);
    const operators = () => stores().operators;
    const make = async (changes: Parameters<typeof anOperatorAccount>[0] = {}) =>
      (await expectOk(operators().insertOnce(anOperatorAccount(changes), audit))).account;
    const openSession = (token = "token") =>
      stores().operatorSessions.open(anOperatorSession({ tokenHash: aHash(token) }), audit);
    const sessionOf = async (token = "token") =>
      (await expectOk(stores().operatorSessions.find(aHash(token))))?.session;
    const audited = async () => (await expectOk(stores().auditLog.read(0, 1_000))).length;

    it("stores the account exactly as given", async () => {
      const full = { apps: ["app_1", "app_2"], totpSecret: "JBSWY3DPEHPK3PXP", totpLastStep: 58_000_000 };
      const grants = [{ by: "han", at: FIXTURE_TIME, kind: "create", origin: "cli" }] as const;
      const account = anOperatorAccount({ ...full, grants, mustChangePassword: true, disabled: true });
      expect(await expectOk(operators().insertOnce(account, audit))).toEqual({ inserted: true, account });
      expect(await expectOk(operators().find("li"))).toEqual(account);
      const plain = await make({ name: "an", apps: [] });
      expect(plain).toEqual(anOperatorAccount({ name: "an", apps: [] }));
      expect(await expectOk(operators().list())).toEqual([plain, account]);
      expect(await expectOk(operators().find("none"))).toBeUndefined();
    });

    it(`stores one account and one audit entry for ${CONCURRENT_CALLERS} concurrent calls`, async () => {
      const made = await race(CONCURRENT_CALLERS, (caller) =>
        operators().insertOnce(anOperatorAccount({ passwordHash: `hash ${caller}` }), audit),
      );
      expect(made.filter(({ inserted }) => inserted)).toHaveLength(1);
      expect(new Set(made.map(({ account }) => account.passwordHash)).size).toBe(1);
      expect(await audited()).toBe(1);
    });

    it("finds an account by its name in any case", async () => {
      const account = await make({ name: "Li.Na" });
      for (const name of ["Li.Na", "li.na", "LI.NA", " li.na ", "Ｌｉ．Ｎａ"])
        expect(await expectOk(operators().find(name))).toEqual(account);
      expect(await expectOk(operators().find("li_na"))).toBeUndefined();
    });

    it(`stores one account for ${CONCURRENT_CALLERS} concurrent calls whose names differ in case`, async () => {
      const made = await race(CONCURRENT_CALLERS, (caller) =>
        operators().insertOnce(anOperatorAccount({ name: caller % 2 === 0 ? "Li" : "li" }), audit),
      );
      expect(made.filter(({ inserted }) => inserted)).toHaveLength(1);
      expect(new Set(made.map(({ account }) => account.name)).size).toBe(1);
      expect(await expectOk(operators().list())).toHaveLength(1);
      expect(await audited()).toBe(1);
    });

    it("replaces the password, and ends the sessions of this operator only", async () => {
      await make({ totpSecret: "JBSWY3DPEHPK3PXP", totpLastStep: 1 });
      await make({ name: "an" });
      await expectOk(openSession());
      await expectOk(
        stores().operatorSessions.open(anOperatorSession({ operator: "an", tokenHash: aHash("an") }), audit),
      );
      const change = {
        passwordHash: "next",
        mustChangePassword: true,
        removesSecondFactor: false,
        at: later,
      };
      const changed = await expectOk(operators().setPassword("li", change, audit));
      expect(changed).toMatchObject({
        passwordHash: "next",
        mustChangePassword: true,
        gmtModified: later,
        totpSecret: "JBSWY3DPEHPK3PXP",
      });
      expect(await sessionOf()).toBeUndefined();
      expect(await sessionOf("an")).toBeDefined();
    });

    it("removes the second factor together with the password", async () => {
      await make({ totpSecret: "JBSWY3DPEHPK3PXP", totpLastStep: 1 });
      const change = { passwordHash: "next", mustChangePassword: true, removesSecondFactor: true, at: later };
      const changed = await expectOk(operators().setPassword("li", change, audit));
      expect(changed).not.toHaveProperty("totpSecret");
      expect(changed).not.toHaveProperty("totpLastStep");
      expect(await expectOk(operators().useTotpStep("li", 9))).toBe(false);
    });

    it("replaces only the given password", async () => {
      await make();
      const before = await audited();
      const kept = { mustChangePassword: false, removesSecondFactor: false, at: later };
      const change = { passwordHash: "next", replaces: "another", ...kept };
      expect(await expectOk(operators().setPassword("li", change, audit))).toBeUndefined();
      expect(await expectOk(operators().find("li"))).toMatchObject({ passwordHash: "scrypt$first" });
      expect(await audited()).toBe(before);
      const right = { ...change, replaces: "scrypt$first" };
      expect(await expectOk(operators().setPassword("li", right, audit))).toBeDefined();
    });

    it("sets up one of several concurrent second factors", async () => {
      await make();
      await expectOk(openSession());
      const keys = Array.from({ length: CONCURRENT_CALLERS }, (_, nth) => `KEY${nth}`);
      const set = await race(CONCURRENT_CALLERS, (caller) =>
        operators().setSecondFactor(
          "li",
          {
            tokenHash: aHash("token"),
            factor: { totpSecret: keys[caller] ?? "", totpLastStep: caller },
            at: later,
          },
          audit,
        ),
      );
      expect(set.filter((one) => one !== undefined)).toHaveLength(1);
      const winner = set.findIndex((one) => one !== undefined);
      expect(await expectOk(operators().find("li"))).toMatchObject({
        totpSecret: keys[winner],
        totpLastStep: winner,
        gmtModified: later,
      });
    });

    it("sets up no second factor for a session that has ended, or of another operator", async () => {
      await make();
      await make({ name: "an" });
      await expectOk(openSession());
      const factor = { totpSecret: "KEY", totpLastStep: 1 };
      const before = await audited();
      const change = { tokenHash: aHash("token"), factor, at: later };
      expect(await expectOk(operators().setSecondFactor("an", change, audit))).toBeUndefined();
      const ended = { ...change, tokenHash: aHash("none") };
      expect(await expectOk(operators().setSecondFactor("li", ended, audit))).toBeUndefined();
      expect(await audited()).toBe(before);
    });

    it("replaces and removes the second factor that the caller knows, once", async () => {
      await make({ totpSecret: "OLD", totpLastStep: 10 });
      await expectOk(openSession());
      const change = { tokenHash: aHash("token"), at: later };
      const factor = { totpSecret: "NEW", totpLastStep: 3 };
      const setOnce = async (asked: SecondFactorChange) =>
        (await race(CONCURRENT_CALLERS, () => operators().setSecondFactor("li", asked, audit))).filter(
          (one) => one !== undefined,
        );
      const before = await audited();
      expect(await setOnce({ ...change, factor })).toEqual([]);
      expect(await setOnce({ ...change, factor, replaces: "OTHER" })).toEqual([]);
      expect(await audited()).toBe(before);
      expect(await setOnce({ ...change, factor, replaces: "OLD" })).toMatchObject([factor]);
      const [removed, ...more] = await setOnce({ ...change, replaces: "NEW" });
      expect(more).toEqual([]);
      expect(removed).toMatchObject({ name: "li", gmtModified: later });
      expect(removed).not.toHaveProperty("totpSecret");
      expect(removed).not.toHaveProperty("totpLastStep");
    });

    it("ends the other sessions with a change of the second factor", async () => {
      await make();
      await expectOk(openSession());
      await expectOk(openSession("other"));
      const factor = { totpSecret: "KEY", totpLastStep: 1 };
      const change = { tokenHash: aHash("token"), factor, at: later };
      await expectOk(operators().setSecondFactor("li", change, audit));
      expect(await sessionOf("token")).toBeDefined();
      expect(await sessionOf("other")).toBeUndefined();
    });

    it("accepts each time step once, and no earlier time step", async () => {
      await make({ totpSecret: "KEY", totpLastStep: 10 });
      const used = await race(CONCURRENT_CALLERS, () => operators().useTotpStep("li", 11));
      expect(used.filter((one) => one)).toHaveLength(1);
      for (const step of [9, 10, 11]) expect(await expectOk(operators().useTotpStep("li", step))).toBe(false);
      expect(await expectOk(operators().useTotpStep("li", 12))).toBe(true);
      expect(await expectOk(operators().useTotpStep("none", 1))).toBe(false);
    });

    it("replaces the role and the apps", async () => {
      await make({ apps: ["app_1"] });
      const limited = { name: "li", role: "finance", apps: ["app_2"] } as const;
      expect(await expectOk(operators().setRole(limited, later, audit))).toMatchObject(limited);
      const every = await expectOk(operators().setRole({ name: "li", role: "admin" }, later, audit));
      expect(every).toMatchObject({ role: "admin", gmtModified: later });
      expect(every).not.toHaveProperty("apps");
      expect(
        await expectOk(operators().setRole({ name: "none", role: "admin" }, later, audit)),
      ).toBeUndefined();
    });

    describe("the grants of an account", () => {
      const by = (operator: string, from = "192.0.2.1") => anAuditEntry({ operator, from, at: later });
      const grant = (operator: string, kind: OperatorGrant["kind"]) =>
        ({ by: operator, at: later, kind, origin: "dashboard" }) as const;
      const grants = async () => (await expectOk(operators().find("li")))?.grants;
      const change = { passwordHash: "next", mustChangePassword: true, removesSecondFactor: true, at: later };

      it("contain who reset its password, raised its rights and enabled it", async () => {
        await make();
        await expectOk(operators().setPassword("li", change, by("han")));
        expect(await grants()).toEqual([grant("han", "reset")]);
        await expectOk(operators().setRole({ name: "li", role: "finance" }, later, by("an")));
        await expectOk(operators().setDisabled("li", true, later, by("bo")));
        expect(await grants()).toEqual([grant("han", "reset"), grant("an", "raise")]);
        await expectOk(operators().setDisabled("li", false, later, by("bo")));
        await expectOk(operators().setDisabled("li", false, later, by("cy")));
        expect((await grants())?.slice(2)).toEqual([grant("bo", "enable")]);
        await expectOk(operators().setRole({ name: "li", role: "viewer" }, later, by("cy")));
        expect(await grants()).toHaveLength(3);
        expect((await expectOk(operators().list()))[0]?.grants).toEqual(await grants());
      });

      it("do not change when the owner changes the password, and start again on the command line", async () => {
        await make({ grants: [grant("han", "create")] });
        await expectOk(operators().setPassword("li", change, by("li")));
        expect(await grants()).toEqual([grant("han", "create")]);
        await expectOk(operators().setPassword("li", change, by("li", "cli")));
        expect(await grants()).toEqual([{ ...grant("li", "reset"), origin: "cli" }]);
      });

      it(`keep all of ${CONCURRENT_CALLERS} concurrent changes`, async () => {
        await make();
        await race(CONCURRENT_CALLERS, (caller) =>
          operators().setPassword("li", change, by(`operator ${caller}`)),
        );
        expect(await grants()).toHaveLength(CONCURRENT_CALLERS);
      });
    });

    it("ends the sessions of a disabled operator, and opens no further session", async () => {
      await make();
      await expectOk(openSession());
      const disabled = await expectOk(operators().setDisabled("li", true, later, audit));
      expect(disabled).toMatchObject({ disabled: true, gmtModified: later });
      expect(await sessionOf()).toBeUndefined();
      expect(await expectOk(openSession())).toBe(false);
      await expectOk(operators().setDisabled("li", false, later, audit));
      expect(await expectOk(openSession())).toBe(true);
      expect(await expectOk(operators().setDisabled("none", true, later, audit))).toBeUndefined();
    });

    it("keeps the last active admin of every app", async () => {
      const admin = await make({ role: "admin" });
      await make({ name: "an", role: "admin", apps: ["app_1"] });
      await make({ name: "wu", role: "admin", disabled: true });
      await make({ name: "he", role: "finance" });
      await expectOk(openSession());
      const before = await audited();
      for (const rights of [{ role: "finance" }, { role: "admin", apps: ["app_1"] }] as const) {
        const changed = await expectOk(operators().setRole({ name: "li", ...rights }, later, audit));
        expect(changed).toBe("last-admin");
      }
      expect(await expectOk(operators().setDisabled("li", true, later, audit))).toBe("last-admin");
      expect(await expectOk(operators().find("li"))).toEqual(admin);
      expect(await sessionOf()).toBeDefined();
      expect(await audited()).toBe(before);
      // Other accounts may change, and this account too once there is another admin.
      for (const name of ["an", "he"])
        expect(await expectOk(operators().setDisabled(name, true, later, audit))).toMatchObject({ name });
      await expectOk(operators().setRole({ name: "li", role: "admin" }, later, audit));
      await expectOk(operators().setDisabled("wu", false, later, audit));
      expect(await expectOk(operators().setDisabled("li", true, later, audit))).toMatchObject({
        disabled: true,
      });
    });

    it("keeps one of two admins who disable or demote each other at once", async () => {
      for (let round = 0; round < 10; round += 1) {
        const names = [`a${round}`, `b${round}`] as const;
        for (const name of names) await make({ name, role: "admin" });
        if (round > 0) {
          await expectOk(operators().setRole({ name: `a${round - 1}`, role: "viewer" }, later, audit));
          await expectOk(operators().setRole({ name: `b${round - 1}`, role: "viewer" }, later, audit));
        }
        const changed = await race(2, (caller) => {
          const name = names[caller] ?? names[0];
          return (round + caller) % 2 === 0
            ? operators().setDisabled(name, true, later, audit)
            : operators().setRole({ name, role: "viewer" }, later, audit);
        });
        expect(changed.filter((one) => one === "last-admin")).toHaveLength(1);
        const left = (await expectOk(operators().list())).filter(isActiveAdmin);
        expect(left.map(({ name }) => name)).toEqual([names[changed.indexOf("last-admin")]]);
      }
    });

    it("keeps the time at which the account was disabled last", async () => {
      await make();
      await expectOk(operators().setDisabled("li", true, later, audit));
      await expectOk(operators().setDisabled("li", true, later + 1, audit));
      const enabled = await expectOk(operators().setDisabled("li", false, later + 2, audit));
      expect(enabled).toMatchObject({ lastDisabledAt: later, gmtModified: later + 2 });
    });

    it("leaves no session of an operator who is disabled while sessions are opened", async () => {
      await make();
      await race(CONCURRENT_CALLERS, (caller) =>
        caller === CONCURRENT_CALLERS / 2
          ? operators()
              .setDisabled("li", true, later, audit)
              .map(() => true)
          : openSession(`token ${caller}`),
      );
      for (let caller = 0; caller < CONCURRENT_CALLERS; caller += 1)
        expect(await sessionOf(`token ${caller}`)).toBeUndefined();
    });

    it("records a change once, and records nothing if nothing changed", async () => {
      await make();
      await make();
      expect(await audited()).toBe(1);
      await expectOk(operators().setDisabled("li", false, later, audit));
      expect(await audited()).toBe(1);
      await expectOk(
        operators().setDisabled("li", true, later, anAuditEntry({ action: "operator.disable" })),
      );
      const [, event] = await expectOk(stores().auditLog.read(0, 10));
      expect(event).toMatchObject({ action: "operator.disable", seq: 2 });
    });
  });
}
