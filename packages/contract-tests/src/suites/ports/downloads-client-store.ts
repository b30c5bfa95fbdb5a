import type { Stores } from "@tillkit/core";
import { beforeEach, describe, expect, it } from "vitest";
import {
  aClient,
  anApp,
  FIXTURE_TIME,
  UNUSUAL_TEXT,
  CONCURRENT_CALLERS,
  unique,
} from "../../support/fixtures.js";
import {
  expectFailure,
  expectOk,
  type Opened,
  openBeforeEach,
  race,
} from "../../support/open-before-each.js";

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

    it("replaces a limit only if it is the previous one", async () => {
      const client = await expectOk(store().insertOnce(aClient({ dailyLimit: 10 })));
      const { clientId } = client;
      expect(await expectOk(store().setDailyLimit(clientId, 9, 20))).toEqual(client);
      const changed = { ...client, dailyLimit: 20 };
      expect(await expectOk(store().setDailyLimit(clientId, 10, 20))).toEqual(changed);
      expect(await expectOk(store().list())).toEqual([changed]);
      expect(await expectOk(store().setDailyLimit("nobody", 10, 20))).toBeUndefined();
    });

    it(`replaces a limit once for ${CONCURRENT_CALLERS} concurrent calls with one previous limit`, async () => {
      const { clientId } = await expectOk(store().insertOnce(aClient({ dailyLimit: 0 })));
      const kept = await race(CONCURRENT_CALLERS, (caller) => store().setDailyLimit(clientId, 0, caller + 1));
      const [stored] = await expectOk(store().list());
      expect(new Set(kept.map((client) => client?.dailyLimit))).toEqual(new Set([stored?.dailyLimit]));
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
