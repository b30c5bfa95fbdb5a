import type { DownloadsClientStore } from "@tillkit/core";
import { describe, expect, it } from "vitest";
import { aClient, AT, AWKWARD, RACERS, unique } from "../fixtures.js";
import { expectOk, type Opened, opening, race } from "../opening.js";

/** Every promise of `DownloadsClientStore`. Each test gets an empty store of its own from `open`. */
export function downloadsClientStoreContract(
  adapter: string,
  open: () => Promise<Opened<DownloadsClientStore>>,
): void {
  describe(`DownloadsClientStore contract: ${adapter}`, () => {
    const store = opening(open);

    it("stores the client exactly as given", async () => {
      const client = aClient({
        clientId: AWKWARD,
        appId: "app_gone",
        dailyLimit: 1_000_000,
        gmtCreate: AT + 1,
      });
      expect(await expectOk(store().insertOnce(client))).toEqual(client);
      expect(await expectOk(store().find(AWKWARD))).toEqual(client);
    });

    it("returns the client already held for its clientId and changes nothing", async () => {
      const first = await expectOk(store().insertOnce(aClient()));
      const again = aClient({ clientId: first.clientId, appId: "app_2", dailyLimit: 1 });
      expect(await expectOk(store().insertOnce(again))).toEqual(first);
      expect(await expectOk(store().find(first.clientId))).toEqual(first);
    });

    it(`makes ${RACERS} concurrent calls agree on one`, async () => {
      const clientId = unique("client-");
      const held = await race(RACERS, (racer) =>
        store().insertOnce(aClient({ clientId, dailyLimit: racer + 1 })),
      );
      expect(held).toEqual(held.map(() => held[0]));
      expect(await expectOk(store().list())).toEqual([held[0]]);
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
      expect([client, undefined]).toContainEqual(store().recall(client.clientId));
      expect([other, undefined]).toContainEqual(store().recall(other.clientId));
      await expectOk(store().find("client-unknown"));
      expect(store().recall("client-unknown")).toBeUndefined();
    });

    it("lists every client, by id", async () => {
      for (const clientId of ["client-c", "client-a", "client-b"])
        await expectOk(store().insertOnce(aClient({ clientId })));
      const listed = await expectOk(store().list());
      expect(listed.map((client) => client.clientId)).toEqual(["client-a", "client-b", "client-c"]);
    });
  });
}
