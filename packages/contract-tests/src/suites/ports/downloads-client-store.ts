import type { Stores } from "@tillkit/core";
import { beforeEach, describe, expect, it } from "vitest";
import {
  aClient,
  anApp,
  FIXTURE_TIME,
  AWKWARD_TEXT,
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

/** Tests every promise of `DownloadsClientStore`. `open` returns empty stores for each test. */
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
        clientId: AWKWARD_TEXT,
        appId: AWKWARD_TEXT,
        dailyLimit: 1_000_000,
        gmtCreate: FIXTURE_TIME + 1,
      });
      await expectOk(register(AWKWARD_TEXT));
      expect(await expectOk(store().insertOnce(client))).toEqual(client);
      expect(await expectOk(store().find(AWKWARD_TEXT))).toEqual(client);
    });

    it("returns the client already held for its clientId and changes nothing", async () => {
      const first = await expectOk(store().insertOnce(aClient()));
      const again = aClient({ clientId: first.clientId, appId: "app_2", dailyLimit: 1 });
      expect(await expectOk(store().insertOnce(again))).toEqual(first);
      expect(await expectOk(store().find(first.clientId))).toEqual(first);
    });

    it(`makes ${CONCURRENT_CALLERS} concurrent calls agree on one`, async () => {
      const clientId = unique("client-");
      const stored = await race(CONCURRENT_CALLERS, (caller) =>
        store().insertOnce(aClient({ clientId, dailyLimit: caller + 1 })),
      );
      expect(stored).toEqual(stored.map(() => stored[0]));
      expect(await expectOk(store().list())).toEqual([stored[0]]);
    });

    it("keeps no client of an app that is not there", async () => {
      const client = aClient({ appId: "App_1" });
      const refused = { name: "app.unknown", appIds: ["App_1"] };
      expect(await expectFailure(store().insertOnce(client))).toEqual(refused);
      expect(await expectOk(store().list())).toEqual([]);
      expect(await expectOk(store().find(client.clientId))).toBeUndefined();
      await expectOk(register("App_1"));
      expect(await expectOk(store().insertOnce(client))).toEqual(client);
    });

    it("keeps a client of an app that is disabled", async () => {
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

    it("recalls what was found, and nothing that was not", async () => {
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
