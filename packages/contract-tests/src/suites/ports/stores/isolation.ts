import type { Stores } from "@tillkit/core";
import { describe, expect, it } from "vitest";
import { tryLimits } from "../../../support/fixtures.js";
import { expectOk, type Opened, openBeforeEach } from "../../../support/open-before-each.js";
import { readAppRecords, createAppRecords, NAMES } from "../../../support/stores/app-records.js";
import { type CallAs, ISOLATION_CASES } from "./isolation/cases.js";

const OWNER = "owner";

/** Every method that takes an app. */
const CALLS: readonly { readonly store: string; readonly name: string; readonly call: CallAs }[] =
  Object.entries(ISOLATION_CASES).flatMap(([store, verbs]) =>
    Object.entries(verbs).flatMap(([method, call]) =>
      typeof call === "function" ? [{ store, name: `${store}.${method}`, call }] : [],
    ),
  );

/**
 * Tests that no store method reads or changes data of another app.
 *
 * The test calls every method as other apps, before and after it stores the data of an owner under
 * the same names. Both times the results must be equal, and the data of the owner must stay
 * unchanged. `open` returns empty stores for each test.
 */
export function isolationContract(adapter: string, open: () => Promise<Opened<Stores>>): void {
  describe(`isolation of apps: ${adapter}`, () => {
    const stores = openBeforeEach(open);

    const expectUntouched = async (before: Awaited<ReturnType<typeof readAppRecords>>) => {
      expect(await readAppRecords(stores(), OWNER)).toEqual(before);
      const { phoneHash, codeHash } = NAMES;
      const tried = stores().codes.attempt({ appId: OWNER, phoneHash, codeHash }, tryLimits({ perCode: 1 }));
      expect(await expectOk(tried)).toBe("matched");
    };

    /** Returns the result of each method for an app without data. */
    const answersWithoutOwner = async (group: string) => {
      const reported: (readonly [method: string, answer: string])[] = [];
      for (const { name, call } of CALLS) {
        const appId = `${group}${reported.length}`;
        reported.push([name, bare(await expectOk(call(stores(), appId)), appId)]);
      }
      return reported;
    };

    /**
     * Returns the results for an app with data of the same names, and the data of this app
     * afterwards.
     */
    const answersToNamesakes = async (group: string) => {
      const reported: (readonly [method: string, answer: string])[] = [];
      for (const store of new Set(CALLS.map((call) => call.store))) {
        const appId = `${group}${reported.length}`;
        await createAppRecords(stores(), appId);
        for (const { name, call } of CALLS.filter((one) => one.store === store))
          reported.push([name, bare(await expectOk(call(stores(), appId)), appId)]);
        reported.push([`what ${store} left`, bare(await readAppRecords(stores(), appId), appId)]);
      }
      return reported;
    };

    it.each([
      ["has nothing", answersWithoutOwner],
      ["has data of the same names", answersToNamesakes],
    ])("no method reveals or changes records of an owner for an app that %s", async (_what, answersTo) => {
      const alone = await answersTo("strangerA");
      await createAppRecords(stores(), OWNER);
      const before = await readAppRecords(stores(), OWNER);
      expect(await answersTo("strangerB")).toEqual(alone);
      await expectUntouched(before);
    });

    it("concurrent calls of several apps return the same results as the calls of each app alone", async () => {
      const alone = await answersToNamesakes("alone");
      const group = ["left", "right", "third"];
      const together = group.map((): (readonly [method: string, answer: string])[] => []);
      for (const store of new Set(CALLS.map((call) => call.store))) {
        const apps = group.map((one) => `${one}${store}`);
        for (const appId of apps) await createAppRecords(stores(), appId);
        for (const { name, call } of CALLS.filter((one) => one.store === store)) {
          // Adapters may put concurrent calls into one statement.
          const answers = await Promise.all(apps.map((appId) => expectOk(call(stores(), appId))));
          for (const [index, answer] of answers.entries())
            together[index]?.push([name, bare(answer, apps[index] ?? "")]);
        }
        for (const [index, appId] of apps.entries())
          together[index]?.push([`what ${store} left`, bare(await readAppRecords(stores(), appId), appId)]);
      }
      for (const answers of together) expect(answers).toEqual(alone);
    });
  });
}

/**
 * Returns a result without the parts that depend on the app.
 *
 * These are the app id, the hashes of timelines, which depend on the order id, and random salts.
 */
function bare(answer: unknown, appId: string): string {
  const text = JSON.stringify({ answer }).replaceAll(appId, "stranger");
  return text.replaceAll(/"(previousHash|hash|reasonSalt|reasonDigest)":"[0-9a-f]+"/g, '"$1":""');
}
