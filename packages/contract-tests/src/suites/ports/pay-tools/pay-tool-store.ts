import type { WalletAccount } from "@tillkit/core";
import { describe, expect, it } from "vitest";
import { anAccount, FIXTURE_TIME, UNUSUAL_TEXT, CONCURRENT_CALLERS } from "../../../support/fixtures.js";
import { expectOk, openBeforeEach, race } from "../../../support/open-before-each.js";
import { credentialsAtRest, type OpenedPayTools } from "./credentials-at-rest.js";

export type { CredentialsAtRest, OpenedPayTools } from "./credentials-at-rest.js";

/** Tests every requirement of `PayToolStore`. `open` returns an empty store for each test. */
export function payToolStoreContract(adapter: string, open: () => Promise<OpenedPayTools>): void {
  describe(`PayToolStore contract: ${adapter}`, () => {
    const opened = openBeforeEach(async () => {
      const port = await open();
      return { port, close: () => port.close() };
    });
    const store = () => opened().port;
    const current = ({ appId, payChannel }: WalletAccount) => expectOk(store().current(appId, payChannel));

    describe("put", () => {
      it("makes the first account of a channel its current pay tool, exactly as given", async () => {
        const account = anAccount({
          payChannel: "WALLET_B",
          signStatus: "NO",
          appEnv: "PROD",
          appName: UNUSUAL_TEXT,
          credentials: { privateKey: UNUSUAL_TEXT, "key with spaces": "", 会员: "x".repeat(5_000) },
          gmtModified: FIXTURE_TIME + 1,
        });
        expect(await expectOk(store().put(account))).toEqual(account);
        expect(await current(account)).toEqual(account);
        expect(await expectOk(store().find(account.id))).toEqual(account);
      });

      it("replaces the keys for the same merchant, wallet app and environment", async () => {
        const first = await expectOk(store().put(anAccount()));
        const next = anAccount({
          signStatus: "NO",
          appName: "Renamed",
          credentials: { privateKey: "new" },
          gmtCreate: FIXTURE_TIME + 9,
          gmtModified: FIXTURE_TIME + 9,
        });
        const stored = await expectOk(store().put(next));
        expect(stored).toEqual({ ...next, id: first.id, gmtCreate: first.gmtCreate });
        expect(await current(next)).toEqual(stored);
        expect(await expectOk(store().find(first.id))).toEqual(stored);
        expect(await expectOk(store().find(next.id))).toBeUndefined();
      });

      it.each([
        { accountId: "1900000002" },
        { walletAppId: "wx0000000000000002" },
        { appEnv: "PROD" },
      ] as const)("keeps the old pay tool if the merchant changes: %o", async (change) => {
        const first = await expectOk(store().put(anAccount()));
        const second = anAccount(change);
        expect(await expectOk(store().put(second))).toEqual(second);
        expect(await current(second)).toEqual(second);
        expect(await expectOk(store().find(first.id))).toEqual(first);
        expect(await expectOk(store().list(first.appId))).toHaveLength(1);
      });

      it(`keeps one pay tool after ${CONCURRENT_CALLERS} concurrent calls for one merchant`, async () => {
        const answers = await race(CONCURRENT_CALLERS, (caller) =>
          store().put(anAccount({ appName: `Name ${caller}` })),
        );
        expect(new Set(answers.map(({ id }) => id)).size).toBe(1);
        const listed = await expectOk(store().list("app_1"));
        expect(listed).toHaveLength(1);
        expect(answers.map(({ appName }) => appName)).toContain(listed[0]?.appName);
        expect(listed[0]?.id).toBe(answers[0]?.id);
      });

      it(`keeps one current pay tool after ${CONCURRENT_CALLERS} concurrent calls for different merchants, and loses no pay tool`, async () => {
        const answers = await race(CONCURRENT_CALLERS, (caller) =>
          store().put(anAccount({ accountId: `19000${caller}` })),
        );
        const listed = await expectOk(store().list("app_1"));
        expect(listed).toHaveLength(1);
        expect(answers.map(({ id }) => id)).toContain(listed[0]?.id);
        for (const answer of answers) expect(await expectOk(store().find(answer.id))).toEqual(answer);
      });
    });

    describe("replace", () => {
      const changed = { signStatus: "NO", appName: "Renamed", gmtModified: FIXTURE_TIME + 9 } as const;

      it("replaces credentials and labels of a pay tool, current or not", async () => {
        const old = await expectOk(store().put(anAccount()));
        const now = await expectOk(store().put(anAccount({ accountId: "1900000002" })));
        for (const before of [old, now]) {
          const after = { ...before, ...changed, credentials: { privateKey: "new", added: "" } };
          expect(await expectOk(store().replace(before, after))).toBe(true);
          expect(await expectOk(store().find(before.id))).toEqual(after);
        }
        expect(await current(now)).toMatchObject({ id: now.id, ...changed });
        expect(await expectOk(store().list(now.appId))).toHaveLength(1);
      });

      it("changes nothing if another pay tool or nothing is stored", async () => {
        const stored = await expectOk(store().put(anAccount()));
        const others = [
          { credentials: { ...stored.credentials, apiKey: "other" } },
          { credentials: {} },
          { appName: "Other" },
          { gmtModified: FIXTURE_TIME + 1 },
          { id: "01UNKNOWN" },
        ];
        for (const other of others) {
          const before = { ...stored, ...other };
          expect(await expectOk(store().replace(before, { ...before, ...changed }))).toBe(false);
        }
        expect(await expectOk(store().find(stored.id))).toEqual(stored);
      });

      it(`replaces once for ${CONCURRENT_CALLERS} concurrent calls with one pay tool`, async () => {
        const before = await expectOk(store().put(anAccount()));
        const replaced = await race(CONCURRENT_CALLERS, (caller) =>
          store().replace(before, { ...before, appName: `Name ${caller}` }),
        );
        expect(replaced.filter(Boolean)).toHaveLength(1);
        expect(await current(before)).toMatchObject({ appName: `Name ${replaced.indexOf(true)}` });
      });

      it(`loses no credential of ${CONCURRENT_CALLERS} concurrent calls that add one each`, async () => {
        const { id } = await expectOk(store().put(anAccount({ credentials: {} })));
        const add = async (name: string): Promise<void> => {
          const before = await expectOk(store().find(id));
          if (before === undefined) throw new Error("the pay tool is gone");
          const after = { ...before, credentials: { ...before.credentials, [name]: "value" } };
          if (!(await expectOk(store().replace(before, after)))) await add(name);
        };
        const names = Array.from({ length: CONCURRENT_CALLERS }, (_, caller) => `key${caller}`);
        await Promise.all(names.map(add));
        const stored = await expectOk(store().find(id));
        expect(Object.keys(stored?.credentials ?? {}).toSorted()).toEqual(names.toSorted());
      });
    });

    describe("the default options", () => {
      const walletOptions = {
        settle_info: { profit_sharing: false },
        attach: UNUSUAL_TEXT,
        limit_pay: ["no_credit", "no_debit"],
      };

      it("are stored exactly as given, with and without credentials", async () => {
        const stored = await expectOk(store().put(anAccount({ walletOptions })));
        expect(stored.walletOptions).toEqual(walletOptions);
        expect(await current(stored)).toEqual(stored);
        const { credentials: _secret, ...payTool } = stored;
        expect(await expectOk(store().list(stored.appId))).toEqual([payTool]);
        expect(await expectOk(store().listAll())).toEqual([payTool]);
      });

      it("are replaced and removed with the pay tool", async () => {
        const first = await expectOk(store().put(anAccount({ walletOptions })));
        const next = anAccount({ walletOptions: { goods_tag: "t" } });
        const second = await expectOk(store().put(next));
        expect(second).toEqual({ ...next, id: first.id, gmtCreate: first.gmtCreate });
        const { walletOptions: _removed, ...without } = second;
        expect(await expectOk(store().replace({ ...second, walletOptions }, without))).toBe(false);
        expect(await expectOk(store().replace(second, without))).toBe(true);
        expect(await current(second)).toStrictEqual(without);
        const changed = { ...without, walletOptions };
        expect(await expectOk(store().replace(without, changed))).toBe(true);
        expect(await expectOk(store().find(first.id))).toEqual(changed);
      });
    });

    describe("current, find and list", () => {
      it("return nothing for an app without pay tools", async () => {
        await expectOk(store().put(anAccount()));
        expect(await expectOk(store().current("app_1", "WALLET_B"))).toBeUndefined();
        expect(await expectOk(store().find("01UNKNOWN"))).toBeUndefined();
        expect(await expectOk(store().list("app_unknown"))).toEqual([]);
      });

      it("never return another app's pay tools", async () => {
        const left = await expectOk(store().put(anAccount({ appId: "app_left" })));
        const right = await expectOk(store().put(anAccount({ appId: "app_right" })));
        expect(right.id).not.toBe(left.id);
        expect(await current(left)).toEqual(left);
        expect(await current(right)).toEqual(right);
        const ids = (await expectOk(store().list("app_left"))).map(({ id }) => id);
        expect(ids).toEqual([left.id]);
      });

      it("list the current pay tools by channel, without their credentials", async () => {
        await expectOk(store().put(anAccount({ payChannel: "WALLET_B", accountId: "old" })));
        const b = await expectOk(store().put(anAccount({ payChannel: "WALLET_B", accountId: "new" })));
        const a = await expectOk(store().put(anAccount({ payChannel: "WALLET_A" })));
        const listed = await expectOk(store().list("app_1"));
        const [plainA, plainB] = [a, b].map(({ credentials: _secret, ...tool }) => tool);
        expect(listed).toEqual([plainA, plainB]);
        for (const tool of listed) expect(tool).not.toHaveProperty("credentials");
      });
    });

    describe("getCached and getCachedCurrent", () => {
      it("return cached pay tools, and undefined for others", async () => {
        const account = await expectOk(store().put(anAccount()));
        const other = await expectOk(store().put(anAccount({ appId: "app_2" })));
        expect(await current(account)).toEqual(account);
        expect([account, undefined]).toContainEqual(store().getCachedCurrent("app_1", "WALLET_A"));
        expect(await expectOk(store().find(account.id))).toEqual(account);
        expect([account, undefined]).toContainEqual(store().getCached(account.id));
        expect([other, undefined]).toContainEqual(store().getCachedCurrent("app_2", "WALLET_A"));
        expect(await expectOk(store().current("app_1", "WALLET_B"))).toBeUndefined();
        expect(store().getCachedCurrent("app_1", "WALLET_B")).toBeUndefined();
        expect(await expectOk(store().find("01UNKNOWN"))).toBeUndefined();
        expect(store().getCached("01UNKNOWN")).toBeUndefined();
      });

      it.each([
        ["keys", {}],
        ["another merchant", { accountId: "1900000002" }],
      ])(
        `return no outdated credentials once a put with %s has begun, despite ${CONCURRENT_CALLERS} concurrent look-ups`,
        async (_what, change) => {
          const before = await expectOk(store().put(anAccount()));
          await current(before);
          await expectOk(store().find(before.id));
          const next = anAccount({ ...change, credentials: { privateKey: "new" } });
          const look = () => {
            const now = store().getCachedCurrent("app_1", "WALLET_A");
            if (now !== undefined) expect(now.credentials).toEqual(next.credentials);
            const same = store().getCached(before.id);
            const after = "accountId" in change ? before : next;
            if (same !== undefined) expect(same.credentials).toEqual(after.credentials);
          };
          await race(CONCURRENT_CALLERS, (caller) => {
            const found = caller % 2 === 0 ? store().current("app_1", "WALLET_A") : store().find(before.id);
            return (caller === CONCURRENT_CALLERS / 2 ? store().put(next) : found).map(look);
          });
          look();
          await current(next);
          await expectOk(store().find(before.id));
          look();
        },
      );
    });

    describe("listAll", () => {
      it("returns the pay tools of every app by id, including replaced ones, without their credentials", async () => {
        const before = await expectOk(store().put(anAccount({ accountId: "old" })));
        const now = await expectOk(store().put(anAccount({ accountId: "new" })));
        const other = await expectOk(store().put(anAccount({ appId: "app_2", payChannel: "WALLET_B" })));
        const plain = [before, now, other].map(({ credentials: _secret, ...tool }) => tool);
        const listed = await expectOk(store().listAll());
        expect(listed).toEqual(plain.toSorted((left, right) => (left.id < right.id ? -1 : 1)));
        for (const tool of listed) expect(tool).not.toHaveProperty("credentials");
      });
    });

    credentialsAtRest(opened, open);
  });
}
