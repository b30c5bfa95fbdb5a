import { describe, expect, it } from "vitest";
import type { FulfilmentStore, Purchase, PurchaseClaim } from "../fulfilment-store.js";

/** Opens an empty store for a test. */
export type OpenFulfilmentStore = () => Promise<FulfilmentStore<unknown>>;

const AT = Date.UTC(2026, 0, 15);
const LEASE = 30_000;
const noEffect = async (): Promise<void> => undefined;

/**
 * Tests a fulfilment store with vitest: every rule of the interface, also under concurrent calls.
 *
 * @param name - the name of the store in the titles.
 * @param open - opens an empty store.
 * @example
 * ```ts
 * import { memoryFulfilmentStore } from "@tillkit/client/fulfil";
 * import { fulfilmentStoreContract } from "@tillkit/client/fulfil/contract";
 *
 * fulfilmentStoreContract("memory", async () => memoryFulfilmentStore());
 * ```
 */
export function fulfilmentStoreContract(name: string, open: OpenFulfilmentStore): void {
  describe(`fulfilment store contract: ${name}`, () => {
    describe("insertOnce", () => {
      it("stores a purchase, and returns the first one for the same bizNo", async () => {
        const store = await open();
        const made = await store.insertOnce(aPurchase(), AT, AT + 1);
        const expected = {
          ...aPurchase(),
          status: "REGISTERED",
          since: AT,
          mayBeGranted: false,
          checkAt: AT + 1,
        };
        expect(made).toEqual(expected);
        expect(await store.insertOnce(aPurchase({ amount: 1 }), AT + 5, undefined)).toEqual(expected);
        expect(await store.find("buy-1")).toEqual(expected);
        expect(await store.find("buy-2")).toBeUndefined();
      });

      it("stores one of many concurrent purchases with one bizNo", async () => {
        const store = await open();
        const all = await Promise.all(
          Array.from({ length: 20 }, (_, nth) =>
            store.insertOnce(aPurchase({ amount: nth + 1 }), AT, undefined),
          ),
        );
        expect(new Set(all.map(({ amount }) => amount)).size).toBe(1);
      });

      it("keeps every character of the data", async () => {
        const store = await open();
        const data = `{"a":"é漢😀'\\"\\\\\n"}`;
        await store.insertOnce(aPurchase({ data, customerIdentity: "a'b\"c" }), AT, undefined);
        expect(await store.find("buy-1")).toMatchObject({ data, customerIdentity: "a'b\"c" });
      });
    });

    describe("claim", () => {
      it("is given to one of many concurrent calls", async () => {
        const store = await open();
        await store.insertOnce(aPurchase(), AT, undefined);
        const claims = await Promise.all(
          Array.from({ length: 40 }, (_, nth) => store.claim("buy-1", aClaim({ id: `claim-${nth}` }))),
        );
        const given = claims.filter((claim) => claim !== undefined);
        expect(given).toHaveLength(1);
        expect(await store.find("buy-1")).toEqual(given[0]);
        expect(given[0]).toMatchObject({
          status: "GRANTING",
          since: AT,
          claimUntil: AT + LEASE,
          checkAt: AT + LEASE,
        });
      });

      it("returns undefined for an unknown purchase", async () => {
        expect(await (await open()).claim("none", aClaim())).toBeUndefined();
      });

      it("is taken over when it has expired, and not before", async () => {
        const store = await open();
        await store.insertOnce(aPurchase(), AT, undefined);
        await store.claim("buy-1", aClaim({ id: "first" }));
        expect(await store.claim("buy-1", aClaim({ id: "early", now: AT + LEASE - 1 }))).toBeUndefined();
        expect(await store.claim("buy-1", aClaim({ id: "next", now: AT + LEASE }))).toMatchObject({
          claimId: "next",
          since: AT,
        });
        const late = { claimId: "first", to: "GRANTED", now: AT + LEASE } as const;
        expect(await store.complete("buy-1", late, noEffect)).toBe(false);
        expect(await store.find("buy-1")).toMatchObject({ status: "GRANTING", claimId: "next" });
      });

      it("grants no purchase that is granted, being revoked or revoked", async () => {
        const store = await open();
        await grantIn(store);
        const later = aClaim({ id: "again", now: AT + 10 * LEASE });
        expect(await store.claim("buy-1", later)).toBeUndefined();
        await store.claim("buy-1", aClaim({ id: "revoke", to: "REVOKING", now: AT + LEASE }));
        expect(await store.claim("buy-1", later)).toBeUndefined();
        await store.complete("buy-1", { claimId: "revoke", to: "REVOKED", now: AT + LEASE }, noEffect);
        expect(await store.claim("buy-1", later)).toBeUndefined();
        expect(await store.claim("buy-1", { ...later, to: "REVOKING" })).toBeUndefined();
      });

      it("revokes a purchase that was never granted, and marks it as never granted", async () => {
        const store = await open();
        await store.insertOnce(aPurchase(), AT, undefined);
        const claimed = await store.claim("buy-1", aClaim({ to: "REVOKING" }));
        expect(claimed).toMatchObject({ status: "REVOKING", mayBeGranted: false });
      });

      it("does not revoke while a grant is running", async () => {
        const store = await open();
        await store.insertOnce(aPurchase(), AT, undefined);
        await store.claim("buy-1", aClaim({ id: "grant" }));
        const revoke = aClaim({ id: "revoke", to: "REVOKING" });
        expect(await store.claim("buy-1", revoke)).toBeUndefined();
        expect(await store.claim("buy-1", { ...revoke, now: AT + LEASE })).toMatchObject({
          claimId: "revoke",
          since: AT + LEASE,
        });
        const outcome = { claimId: "grant", to: "GRANTED", now: AT + LEASE } as const;
        expect(await store.complete("buy-1", outcome, noEffect)).toBe(false);
      });
    });

    describe("complete", () => {
      it("runs the effect and stores the outcome", async () => {
        const store = await open();
        await store.insertOnce(aPurchase(), AT, undefined);
        await store.claim("buy-1", aClaim());
        let effects = 0;
        const outcome = { claimId: "claim", to: "GRANTED", now: AT + 5, checkAt: AT + 60 } as const;
        const done = await store.complete("buy-1", outcome, async () => {
          effects += 1;
        });
        expect([done, effects]).toEqual([true, 1]);
        expect(await store.find("buy-1")).toEqual({
          ...aPurchase(),
          status: "GRANTED",
          since: AT + 5,
          mayBeGranted: true,
          checkAt: AT + 60,
        });
      });

      it("runs no effect for a claim that is not the current one", async () => {
        const store = await open();
        await store.insertOnce(aPurchase(), AT, undefined);
        await store.claim("buy-1", aClaim({ id: "mine" }));
        const other = { claimId: "other", to: "GRANTED", now: AT } as const;
        const effect = async (): Promise<void> => {
          throw new Error("The effect ran.");
        };
        expect(await store.complete("buy-1", other, effect)).toBe(false);
        expect(await store.complete("none", other, effect)).toBe(false);
      });

      it("stores nothing and keeps the claim if the effect rejects", async () => {
        const store = await open();
        await store.insertOnce(aPurchase(), AT, undefined);
        await store.claim("buy-1", aClaim());
        const outcome = { claimId: "claim", to: "GRANTED", now: AT } as const;
        const failing = store.complete("buy-1", outcome, async () => {
          throw new Error("no effect");
        });
        await expect(failing).rejects.toThrow("no effect");
        expect(await store.find("buy-1")).toMatchObject({ status: "GRANTING", claimId: "claim" });
        expect(await store.complete("buy-1", outcome, noEffect)).toBe(true);
      });

      it("lets one of two concurrent completions of a claim succeed", async () => {
        const store = await open();
        await store.insertOnce(aPurchase(), AT, undefined);
        await store.claim("buy-1", aClaim());
        const outcome = { claimId: "claim", to: "GRANTED", now: AT } as const;
        const done = await Promise.all([1, 2].map(() => store.complete("buy-1", outcome, noEffect)));
        expect(done.toSorted()).toEqual([false, true]);
      });
    });

    it("releases a claim, but no other one", async () => {
      const store = await open();
      await store.insertOnce(aPurchase(), AT, undefined);
      await store.claim("buy-1", aClaim({ id: "mine" }));
      await store.release("buy-1", "other", AT, AT);
      expect(await store.claim("buy-1", aClaim({ id: "next" }))).toBeUndefined();
      await store.release("buy-1", "mine", AT, AT + 7);
      expect(await store.find("buy-1")).toMatchObject({ status: "GRANTING", checkAt: AT + 7 });
      expect(await store.claim("buy-1", aClaim({ id: "next" }))).toMatchObject({ claimId: "next" });
    });

    describe("takeDue", () => {
      it("takes due purchases once, the longest due first", async () => {
        const store = await open();
        for (const [nth, checkAt] of [AT + 3, AT + 1, AT + 2, AT + 9, undefined].entries())
          await store.insertOnce(aPurchase({ bizNo: `buy-${nth}` }), AT, checkAt);
        const taken = await store.takeDue(AT + 3, 2, AT + LEASE);
        expect(taken.map(({ bizNo }) => bizNo)).toEqual(["buy-1", "buy-2"]);
        expect(taken[0]).toMatchObject({ status: "REGISTERED", checkAt: AT + LEASE });
        expect((await store.takeDue(AT + 3, 2, AT + LEASE)).map(({ bizNo }) => bizNo)).toEqual(["buy-0"]);
        expect(await store.takeDue(AT + 3, 2, AT + LEASE)).toEqual([]);
      });

      it("gives no purchase to two of many concurrent calls", async () => {
        const store = await open();
        for (let nth = 0; nth < 40; nth += 1)
          await store.insertOnce(aPurchase({ bizNo: `buy-${nth}` }), AT, AT);
        const taken: string[] = [];
        const take = async (): Promise<void> => {
          for (let step = 0; step < 8; step += 1)
            taken.push(...(await store.takeDue(AT, 3, AT + LEASE)).map(({ bizNo }) => bizNo));
        };
        await Promise.all(Array.from({ length: 8 }, take));
        taken.push(...(await store.takeDue(AT, 40, AT + LEASE)).map(({ bizNo }) => bizNo));
        expect(taken).toHaveLength(40);
        expect(new Set(taken).size).toBe(40);
      });
    });

    it("schedules a purchase only in the status that the caller saw", async () => {
      const store = await open();
      await grantIn(store);
      await store.schedule("buy-1", "REGISTERED", AT + 5);
      expect(await store.find("buy-1")).not.toHaveProperty("checkAt");
      await store.schedule("buy-1", "GRANTED", AT + 5);
      expect(await store.find("buy-1")).toMatchObject({ checkAt: AT + 5 });
      await store.schedule("buy-1", "GRANTED", undefined);
      expect(await store.find("buy-1")).not.toHaveProperty("checkAt");
    });
  });
}

async function grantIn(store: FulfilmentStore<unknown>): Promise<void> {
  await store.insertOnce(aPurchase(), AT, undefined);
  await store.claim("buy-1", aClaim());
  await store.complete("buy-1", { claimId: "claim", to: "GRANTED", now: AT }, noEffect);
}

function aPurchase(changes: Partial<Purchase> = {}): Purchase {
  return { bizNo: "buy-1", customerIdentity: "user-1", amount: 600, data: "month", ...changes };
}

function aClaim(changes: Partial<PurchaseClaim> = {}): PurchaseClaim {
  const { now = AT } = changes;
  return { id: "claim", to: "GRANTING", now, until: now + LEASE, ...changes };
}
