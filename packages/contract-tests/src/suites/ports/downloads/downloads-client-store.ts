import type { Stores } from "@tillkit/core";
import type { DownloadsClientTerms } from "@tillkit/core/ports";
import { beforeEach, describe, expect, it } from "vitest";
import {
  aClient,
  anApp,
  FIXTURE_TIME,
  UNUSUAL_TEXT,
  CONCURRENT_CALLERS,
  unique,
} from "../../../support/fixtures.js";
import {
  expectFailure,
  expectOk,
  type Opened,
  openBeforeEach,
  race,
} from "../../../support/open-before-each.js";

/** Tests every requirement of `DownloadsClientStore`. `open` returns empty stores for each test. */
export function downloadsClientStoreContract(
  adapter: string,
  open: () => Promise<Opened<Pick<Stores, "apps" | "downloadsClients">>>,
): void {
  describe(`DownloadsClientStore contract: ${adapter}`, () => {
    const stores = openBeforeEach(open);
    const store = () => stores().downloadsClients;
    const register = (appId: string) => stores().apps.insertOnce(anApp({ appId }));
    beforeEach(() => expectOk(register("app_1")));

    it("stores the client exactly as given", async () => {
      const client = aClient({
        clientId: UNUSUAL_TEXT,
        appId: UNUSUAL_TEXT,
        dailyLimit: 1_000_000,
        gmtCreate: FIXTURE_TIME + 1,
      });
      await expectOk(register(UNUSUAL_TEXT));
      expect(await expectOk(store().insertOnce(client))).toEqual(client);
      expect(await expectOk(store().find(UNUSUAL_TEXT))).toEqual(client);
    });

    it("returns the existing client with its clientId and changes nothing", async () => {
      const first = await expectOk(store().insertOnce(aClient()));
      const again = aClient({ clientId: first.clientId, appId: "app_2", dailyLimit: 1 });
      expect(await expectOk(store().insertOnce(again))).toEqual(first);
      expect(await expectOk(store().find(first.clientId))).toEqual(first);
    });

    it(`returns one client to ${CONCURRENT_CALLERS} concurrent calls`, async () => {
      const clientId = unique("client-");
      const stored = await race(CONCURRENT_CALLERS, (caller) =>
        store().insertOnce(aClient({ clientId, dailyLimit: caller + 1 })),
      );
      expect(stored).toEqual(stored.map(() => stored[0]));
      expect(await expectOk(store().list())).toEqual([stored[0]]);
    });

    it("replaces terms only if the stored terms equal the terms that the caller has read", async () => {
      const client = await expectOk(store().insertOnce(aClient({ dailyLimit: 10 })));
      const { clientId } = client;
      const [limit, end] = [{ dailyLimit: 20 }, { dailyLimit: 20, endsAt: FIXTURE_TIME + 5 }];
      const change = (...[previous, next]: readonly [DownloadsClientTerms, DownloadsClientTerms]) =>
        expectOk(store().change(clientId, previous, next));
      expect(await change({ dailyLimit: 9 }, limit)).toEqual(client);
      expect(await change({ dailyLimit: 10, endsAt: FIXTURE_TIME }, limit)).toEqual(client);
      expect(await change({ dailyLimit: 10 }, limit)).toEqual({ ...client, ...limit });
      expect(await change(limit, end)).toEqual({ ...client, ...end });
      expect(await change(limit, { dailyLimit: 30 })).toEqual({ ...client, ...end });
      expect(await expectOk(store().list())).toEqual([{ ...client, ...end }]);
      expect(await expectOk(store().find(clientId))).toEqual({ ...client, ...end });
      expect(await change(end, limit)).toEqual({ ...client, ...limit });
      expect(await expectOk(store().change("absent", limit, end))).toBeUndefined();
    });

    it(`replaces terms once for ${CONCURRENT_CALLERS} concurrent calls with the same previous terms`, async () => {
      const { clientId } = await expectOk(store().insertOnce(aClient({ dailyLimit: 0 })));
      const kept = await race(CONCURRENT_CALLERS, (caller) =>
        store().change(clientId, { dailyLimit: 0 }, { dailyLimit: caller + 1, endsAt: caller }),
      );
      const [stored] = await expectOk(store().list());
      expect(kept).toEqual(kept.map(() => stored));
    });

    it("ends a client and stores its successor, both or neither", async () => {
      const first = await expectOk(store().insertOnce(aClient({ dailyLimit: 10 })));
      const next = aClient({ dailyLimit: 10 });
      const terms = { dailyLimit: 10 };
      const succeed = (previous: DownloadsClientTerms, successor = next) =>
        store().succeed(first.clientId, previous, FIXTURE_TIME + 5, successor);
      expect(await expectOk(succeed({ dailyLimit: 9 }))).toBe(false);
      expect(await expectOk(store().succeed("absent", terms, FIXTURE_TIME, next))).toBe(false);
      expect(await expectOk(store().list())).toEqual([first]);
      expect(await expectOk(succeed(terms))).toBe(true);
      const ended = { ...first, endsAt: FIXTURE_TIME + 5 };
      expect(await expectOk(store().find(first.clientId))).toEqual(ended);
      expect(await expectOk(store().find(next.clientId))).toEqual(next);
      expect(await expectOk(succeed(terms, aClient()))).toBe(false);
      expect(new Set(await expectOk(store().list()))).toEqual(new Set([ended, next]));
    });

    it(`stores one successor for ${CONCURRENT_CALLERS} concurrent calls`, async () => {
      const { clientId } = await expectOk(store().insertOnce(aClient({ dailyLimit: 10 })));
      const successors = Array.from({ length: CONCURRENT_CALLERS }, () => aClient());
      const done = await Promise.all(
        successors.map((successor) =>
          expectOk(store().succeed(clientId, { dailyLimit: 10 }, FIXTURE_TIME, successor)),
        ),
      );
      expect(done.filter(Boolean)).toHaveLength(1);
      const listed = (await expectOk(store().list())).filter((client) => client.clientId !== clientId);
      expect(listed).toEqual(successors.filter((_, caller) => done[caller]));
    });

    it("stores no client of an unknown app", async () => {
      const client = aClient({ appId: "App_1" });
      const refused = { name: "app.unknown", appIds: ["App_1"] };
      expect(await expectFailure(store().insertOnce(client))).toEqual(refused);
      expect(await expectOk(store().list())).toEqual([]);
      expect(await expectOk(store().find(client.clientId))).toBeUndefined();
      await expectOk(register("App_1"));
      expect(await expectOk(store().insertOnce(client))).toEqual(client);
    });

    it("stores a client of a disabled app", async () => {
      await expectOk(stores().apps.setDisabled("app_1", true, FIXTURE_TIME));
      const client = aClient();
      expect(await expectOk(store().insertOnce(client))).toEqual(client);
    });

    it(`stores a client or reports that its app is missing in each of ${CONCURRENT_CALLERS} calls concurrent with the app's creation`, async () => {
      const clients = Array.from({ length: CONCURRENT_CALLERS }, () => aClient({ appId: "app_new" }));
      const [, ...reported] = await Promise.all([
        register("app_new"),
        ...clients.map((client) => store().insertOnce(client)),
      ]);
      const kept = clients.filter((_, caller) => reported[caller]?.isOk());
      expect(new Set(await expectOk(store().list()))).toEqual(new Set(kept));
    });

    it("finds nothing under an unknown id", async () => {
      await expectOk(store().insertOnce(aClient({ clientId: "Client" })));
      for (const clientId of ["client", "Client ", "", "%"]) {
        expect(await expectOk(store().find(clientId))).toBeUndefined();
      }
    });

    it("returns a cached client, and undefined for a client that is not cached", async () => {
      const [client, other] = [
        await expectOk(store().insertOnce(aClient())),
        await expectOk(store().insertOnce(aClient())),
      ];
      await expectOk(store().find(client.clientId));
      expect([client, undefined]).toContainEqual(store().getCached(client.clientId));
      expect([other, undefined]).toContainEqual(store().getCached(other.clientId));
      await expectOk(store().find("client-unknown"));
      expect(store().getCached("client-unknown")).toBeUndefined();
    });

    it("lists every client, by id", async () => {
      for (const clientId of ["client-c", "client-a", "client-b"])
        await expectOk(store().insertOnce(aClient({ clientId })));
      const listed = await expectOk(store().list());
      expect(listed.map((client) => client.clientId)).toEqual(["client-a", "client-b", "client-c"]);
    });
  });
}
