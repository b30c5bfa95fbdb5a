import type { App } from "@tillkit/core";
import type { AppStore } from "@tillkit/core/ports";
import { describe, expect, it } from "vitest";
import {
  anApp,
  EVERY_CHECK,
  NO_CHECK,
  aSecret,
  FIXTURE_TIME,
  UNUSUAL_TEXT,
  DAY,
  CONCURRENT_CALLERS,
  unique,
} from "../../../support/fixtures.js";
import { expectOk, type Opened, openBeforeEach, race } from "../../../support/open-before-each.js";

/** Tests every requirement of `AppStore`. `open` returns an empty store for each test. */
export function appStoreContract(adapter: string, open: () => Promise<Opened<AppStore>>): void {
  describe(`AppStore contract: ${adapter}`, () => {
    const store = openBeforeEach(open);

    describe("insertOnce", () => {
      it("stores the app exactly as given", async () => {
        const app = anApp({
          name: UNUSUAL_TEXT,
          accountBased: false,
          identityChecks: { ...NO_CHECK, email: true, walletAccount: true },
          disabled: true,
          secrets: [aSecret(), aSecret({ expiresAt: FIXTURE_TIME + 1 })],
          gmtModified: FIXTURE_TIME + 2,
        });
        expect(await expectOk(store().insertOnce(app))).toEqual(app);
        expect(await expectOk(store().find(app.appId))).toEqual(app);
      });

      it("returns the existing app with its appId and changes nothing", async () => {
        const first = anApp();
        await expectOk(store().insertOnce(first));
        const again = await expectOk(store().insertOnce(anApp({ appId: first.appId, name: "Another" })));
        expect(again).toEqual(first);
        expect(await expectOk(store().list())).toEqual([first]);
      });

      it(`returns one app to ${CONCURRENT_CALLERS} concurrent calls`, async () => {
        const appId = unique("app_");
        const drafts = Array.from({ length: CONCURRENT_CALLERS }, (_, caller) =>
          anApp({ appId, name: `Draft ${caller}` }),
        );
        const stored = await race(CONCURRENT_CALLERS, (caller) =>
          store().insertOnce(drafts[caller] ?? anApp()),
        );
        expect(drafts).toContainEqual(stored[0]);
        expect(stored).toEqual(stored.map(() => stored[0]));
        expect(await expectOk(store().list())).toEqual([stored[0]]);
      });
    });

    describe("find and list", () => {
      it("finds nothing under an unknown appId", async () => {
        await expectOk(store().insertOnce(anApp()));
        expect(await expectOk(store().find("app_unknown"))).toBeUndefined();
      });

      it("distinguishes appIds by every character", async () => {
        await expectOk(store().insertOnce(anApp({ appId: "app_Case" })));
        for (const appId of ["app_case", "app_Case ", "appxCase", "app%"]) {
          expect(await expectOk(store().find(appId))).toBeUndefined();
        }
      });

      it("lists every app, by appId", async () => {
        for (const appId of ["app_c", "app_a", "app_b"]) await expectOk(store().insertOnce(anApp({ appId })));
        const listed = await expectOk(store().list());
        expect(listed.map((app) => app.appId)).toEqual(["app_a", "app_b", "app_c"]);
      });
    });

    describe("addSecret", () => {
      it("makes the secret the newest and ends the previous one at the given time", async () => {
        const app = await expectOk(store().insertOnce(anApp()));
        const secret = aSecret({ gmtCreate: FIXTURE_TIME + 5 });
        const after = await expectOk(store().addSecret(app.appId, secret, FIXTURE_TIME + DAY));
        expect(after?.secrets).toEqual([secret, { ...app.secrets[0], expiresAt: FIXTURE_TIME + DAY }]);
        expect(await expectOk(store().find(app.appId))).toEqual(after);
      });

      it("keeps an earlier end of the previous secret", async () => {
        const app = await expectOk(
          store().insertOnce(anApp({ secrets: [aSecret({ expiresAt: FIXTURE_TIME + 1 })] })),
        );
        const after = await expectOk(store().addSecret(app.appId, aSecret(), FIXTURE_TIME + DAY));
        expect(after?.secrets[1]?.expiresAt).toBe(FIXTURE_TIME + 1);
      });

      it("deletes every secret that is older than the previous secret", async () => {
        const app = await expectOk(store().insertOnce(anApp()));
        const second = aSecret();
        const third = aSecret();
        await expectOk(store().addSecret(app.appId, second, FIXTURE_TIME + DAY));
        const after = await expectOk(store().addSecret(app.appId, third, FIXTURE_TIME + 2 * DAY));
        expect(after?.secrets).toEqual([third, { ...second, expiresAt: FIXTURE_TIME + 2 * DAY }]);
      });

      it(`leaves two secrets after ${CONCURRENT_CALLERS} concurrent calls, the newest without an end`, async () => {
        const app = await expectOk(store().insertOnce(anApp()));
        const hashes = new Set<string>();
        const answers = await race(CONCURRENT_CALLERS, () => {
          const secret = aSecret({ gmtCreate: FIXTURE_TIME + 1 });
          hashes.add(secret.hash);
          return store().addSecret(app.appId, secret, FIXTURE_TIME + DAY);
        });
        for (const answer of answers) expect(answer?.secrets).toHaveLength(2);
        const [newest, previous] = (await expectOk(store().find(app.appId)))?.secrets ?? [];
        expect(hashes).toContain(newest?.hash);
        expect(newest?.expiresAt).toBeUndefined();
        expect(hashes).toContain(previous?.hash);
        expect(previous?.expiresAt).toBe(FIXTURE_TIME + DAY);
        expect(previous?.hash).not.toBe(newest?.hash);
      });

      it("returns undefined for an unknown app", async () => {
        expect(await expectOk(store().addSecret("app_unknown", aSecret(), FIXTURE_TIME))).toBeUndefined();
      });

      it("does not change other apps", async () => {
        const [left, right] = [
          await expectOk(store().insertOnce(anApp())),
          await expectOk(store().insertOnce(anApp())),
        ];
        await expectOk(store().addSecret(left.appId, aSecret(), FIXTURE_TIME + DAY));
        expect(await expectOk(store().find(right.appId))).toEqual(right);
      });
    });

    describe("getCached", () => {
      it("returns a cached app, and undefined for an app that is not cached", async () => {
        const [app, other] = [
          await expectOk(store().insertOnce(anApp())),
          await expectOk(store().insertOnce(anApp())),
        ];
        await expectOk(store().find("app_unknown"));
        expect(store().getCached("app_unknown")).toBeUndefined();
        await expectOk(store().find(app.appId));
        expect([app, undefined]).toContainEqual(store().getCached(app.appId));
        expect([other, undefined]).toContainEqual(store().getCached(other.appId));
      });

      it.each([
        [
          "a deactivation",
          (appId: string) => store().setDisabled(appId, true, FIXTURE_TIME + 1),
          (app: App) => app.disabled,
        ],
        [
          "a change of rules",
          (appId: string) => store().setRules(appId, { accountBased: false }, FIXTURE_TIME + 1),
          (app: App) => !app.accountBased,
        ],
        [
          "an end of a secret",
          (appId: string) => store().addSecret(appId, aSecret(), FIXTURE_TIME + 1),
          (app: App) => app.secrets.length === 2,
        ],
      ])(
        `returns no version from before %s once the change has begun, despite ${CONCURRENT_CALLERS} concurrent look-ups`,
        async (_what, change, isAfter) => {
          const { appId } = await expectOk(store().insertOnce(anApp()));
          await expectOk(store().find(appId));
          const look = () => {
            const cached = store().getCached(appId);
            if (cached !== undefined) expect(cached).toSatisfy(isAfter);
          };
          await race(CONCURRENT_CALLERS, (caller) =>
            (caller === CONCURRENT_CALLERS / 2 ? change(appId) : store().find(appId)).map(look),
          );
          look();
          await expectOk(store().find(appId));
          look();
        },
      );
    });

    describe("setDisabled", () => {
      it("disables the app and enables it again", async () => {
        const app = await expectOk(store().insertOnce(anApp()));
        const locked = await expectOk(store().setDisabled(app.appId, true, FIXTURE_TIME + 1));
        expect(locked).toEqual({ ...app, disabled: true, gmtModified: FIXTURE_TIME + 1 });
        expect(await expectOk(store().find(app.appId))).toEqual(locked);
        const opened = await expectOk(store().setDisabled(app.appId, false, FIXTURE_TIME + 2));
        expect(opened).toEqual({ ...app, gmtModified: FIXTURE_TIME + 2 });
      });

      it(`keeps the app disabled while ${CONCURRENT_CALLERS} concurrent calls add secrets`, async () => {
        const app = await expectOk(store().insertOnce(anApp()));
        await race(CONCURRENT_CALLERS, (caller) =>
          caller === CONCURRENT_CALLERS / 2
            ? store().setDisabled(app.appId, true, FIXTURE_TIME + 1)
            : store().addSecret(app.appId, aSecret({ gmtCreate: FIXTURE_TIME + 1 }), FIXTURE_TIME + DAY),
        );
        const after = await expectOk(store().find(app.appId));
        expect(after?.disabled).toBe(true);
        expect(after?.secrets).toHaveLength(2);
      });

      it(`loses no secret that is added during ${CONCURRENT_CALLERS} concurrent calls`, async () => {
        const app = await expectOk(store().insertOnce(anApp()));
        const secret = aSecret({ gmtCreate: FIXTURE_TIME + 1 });
        await race(CONCURRENT_CALLERS, (caller) =>
          caller === CONCURRENT_CALLERS / 2
            ? store().addSecret(app.appId, secret, FIXTURE_TIME + DAY)
            : store().setDisabled(app.appId, true, FIXTURE_TIME + 1),
        );
        const after = await expectOk(store().find(app.appId));
        expect(after?.disabled).toBe(true);
        expect(after?.secrets.map(({ hash }) => hash)).toEqual([secret.hash, app.secrets[0]?.hash]);
      });

      it("returns undefined for an unknown app, and does not change other apps", async () => {
        const app = await expectOk(store().insertOnce(anApp()));
        expect(await expectOk(store().setDisabled("app_unknown", true, FIXTURE_TIME))).toBeUndefined();
        expect(await expectOk(store().list())).toEqual([app]);
      });
    });

    describe("setRules", () => {
      it("changes the given rules and keeps the others", async () => {
        const identityChecks = { ...EVERY_CHECK, phone: false, walletAccount: false };
        const app = await expectOk(store().insertOnce(anApp({ accountBased: true, identityChecks })));
        const first = await expectOk(
          store().setRules(
            app.appId,
            { accountBased: false, identityChecks: { card: false, identityCard: false } },
            FIXTURE_TIME + 1,
          ),
        );
        const changed = { ...identityChecks, card: false, identityCard: false };
        expect(first).toEqual({
          ...app,
          accountBased: false,
          identityChecks: changed,
          gmtModified: FIXTURE_TIME + 1,
        });
        const second = { email: false, phone: true, walletAccount: true, bizNo: false };
        await expectOk(store().setRules(app.appId, { identityChecks: second }, FIXTURE_TIME + 2));
        expect(await expectOk(store().find(app.appId))).toEqual({
          ...app,
          accountBased: false,
          identityChecks: { ...changed, ...second },
          gmtModified: FIXTURE_TIME + 2,
        });
      });

      it(`loses no change among ${CONCURRENT_CALLERS} concurrent calls`, async () => {
        const app = await expectOk(
          store().insertOnce(anApp({ accountBased: true, identityChecks: EVERY_CHECK, disabled: false })),
        );
        const changes = [
          () => store().setRules(app.appId, { accountBased: false }, FIXTURE_TIME + 1),
          () => store().setRules(app.appId, { identityChecks: { email: false } }, FIXTURE_TIME + 1),
          () => store().setRules(app.appId, { identityChecks: { phone: false } }, FIXTURE_TIME + 1),
          () => store().setRules(app.appId, { identityChecks: { card: false } }, FIXTURE_TIME + 1),
          () => store().setRules(app.appId, { identityChecks: { identityCard: false } }, FIXTURE_TIME + 1),
          () => store().setRules(app.appId, { identityChecks: { walletAccount: false } }, FIXTURE_TIME + 1),
          () => store().setRules(app.appId, { identityChecks: { bizNo: false } }, FIXTURE_TIME + 1),
          () => store().setDisabled(app.appId, true, FIXTURE_TIME + 1),
        ] as const;
        await race(CONCURRENT_CALLERS, (caller) => (changes[caller % changes.length] ?? changes[0])());
        expect(await expectOk(store().find(app.appId))).toEqual({
          ...app,
          accountBased: false,
          identityChecks: NO_CHECK,
          disabled: true,
          gmtModified: FIXTURE_TIME + 1,
        });
      });

      it("returns undefined for an unknown app, and does not change other apps", async () => {
        const app = await expectOk(store().insertOnce(anApp()));
        expect(
          await expectOk(store().setRules("app_unknown", { accountBased: false }, FIXTURE_TIME)),
        ).toBeUndefined();
        expect(await expectOk(store().list())).toEqual([app]);
      });
    });
  });
}
