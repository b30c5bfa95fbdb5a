import type { Stores } from "@tillkit/core";
import { describe, expect, it } from "vitest";
import { AT } from "../../support/fixtures.js";
import { expectOk, type Opened, opening } from "../../support/opening.js";
import { belongingsOf, giveBelongings, NAMES } from "../../support/stores/belongings.js";
import { type CallAs, ISOLATION_CASES } from "./isolation/cases.js";

const OWNER = "owner";

/** Every verb that is called as an app. */
const CALLS: readonly { readonly store: string; readonly name: string; readonly call: CallAs }[] =
  Object.entries(ISOLATION_CASES).flatMap(([store, verbs]) =>
    Object.entries(verbs).flatMap(([verb, call]) =>
      typeof call === "function" ? [{ store, name: `${store}.${verb}`, call }] : [],
    ),
  );

/**
 * No verb of any store shows or changes one app's things to another, whatever they are called: every verb is called as a stranger where nobody else has
 * anything, and as another stranger next to an owner of the same names. Each test gets empty stores of its own from `open`.
 */
export function isolationContract(adapter: string, open: () => Promise<Opened<Stores>>): void {
  describe(`isolation of apps: ${adapter}`, () => {
    const stores = opening(open);

    const expectUntouched = async (before: Awaited<ReturnType<typeof belongingsOf>>) => {
      expect(await belongingsOf(stores(), OWNER)).toEqual(before);
      const { phoneHash, codeHash } = NAMES;
      const tried = stores().codes.attempt({ appId: OWNER, phoneHash, codeHash }, AT, 1);
      expect(await expectOk(tried)).toBe("matched");
    };

    /** What each verb answers to a stranger of its own who has nothing. */
    const answersToNobody = async (group: string) => {
      const told: (readonly [verb: string, answer: string])[] = [];
      for (const { name, call } of CALLS) {
        const appId = `${group}${told.length}`;
        told.push([name, bare(await expectOk(call(stores(), appId)), appId)]);
      }
      return told;
    };

    /** What the verbs of each store answer to a stranger who has things by the same names, and what they leave of these. */
    const answersToNamesakes = async (group: string) => {
      const told: (readonly [verb: string, answer: string])[] = [];
      for (const store of new Set(CALLS.map((call) => call.store))) {
        const appId = `${group}${told.length}`;
        await giveBelongings(stores(), appId);
        for (const { name, call } of CALLS.filter((one) => one.store === store))
          told.push([name, bare(await expectOk(call(stores(), appId)), appId)]);
        told.push([`what ${store} left`, bare(await belongingsOf(stores(), appId), appId)]);
      }
      return told;
    };

    it.each([
      ["has nothing", answersToNobody],
      ["has things by the same names", answersToNamesakes],
    ])("no verb tells or takes anything of an owner's to an app that %s", async (_what, answersTo) => {
      const alone = await answersTo("strangerA");
      await giveBelongings(stores(), OWNER);
      const before = await belongingsOf(stores(), OWNER);
      expect(await answersTo("strangerB")).toEqual(alone);
      await expectUntouched(before);
    });
  });
}

/** An answer without what is its caller's alone: the name, and the hashes of timelines, which begin with an order's id. */
function bare(answer: unknown, appId: string): string {
  const text = JSON.stringify({ answer }).replaceAll(appId, "stranger");
  return text.replaceAll(/"(previousHash|hash)":"[0-9a-f]{64}"/g, '"$1":""');
}
