import { createDownloadsClient, createServiceType } from "@tillkit/core";
import {
  disableDownloadsClient,
  enableDownloadsClient,
  rotateDownloadsClient,
  rotateSecret,
  setDownloadsClientLimit,
} from "@tillkit/core/operators";
import { describe, expect, it } from "vitest";
import { DAY, MINUTE, unique } from "../../support/fixtures.js";
import { expectFailure, expectOk } from "../../support/open-before-each.js";
import { aDownloadsClient, askReport } from "./downloads.js";
import { at } from "../../support/http/json.js";
import type { StartService } from "../../support/http/service.js";

/** Numbers that are invalid or too large as a duration or a count. */
const OVER_LIMIT = [-1, 0.5, Number.NaN, Number.POSITIVE_INFINITY, Number.MAX_SAFE_INTEGER, 2 ** 53, 1e300];

/** Returns the rule that `value` violates. */
const ruleOf = (value: number) => (Number.isSafeInteger(value) && value > 0 ? "too-large" : "natural-number");
const invalid = (parameter: string, rule: string) => ({ name: "parameter.invalid", parameter, rule });

/** Tests the upper limits of operator settings, so that every stored value can be read again. */
export function operatorLimitsContract(start: StartService): void {
  describe("rotateSecret", () => {
    it.each([...OVER_LIMIT, 366 * DAY + 1])(
      "rejects an overlap of %d ms, and both secrets stay as they were",
      async (overlap) => {
        const { host, demo } = await start();
        const before = await expectOk(host.apps.list());
        expect(await expectFailure(rotateSecret(host, demo.appId, overlap))).toEqual(
          invalid("overlap", ruleOf(overlap)),
        );
        expect(await expectOk(host.apps.list())).toEqual(before);
        expect((await demo.get("/payTools.json")).code).toBe(0);
      },
    );

    it("accepts an overlap of 366 days, and both secrets work", async () => {
      const { host, demo } = await start();
      const { app } = await expectOk(rotateSecret(host, demo.appId, 366 * DAY));
      expect(app.secrets[1]?.expiresAt).toBe(host.clock.now() + 366 * DAY);
      expect((await demo.get("/payTools.json")).code).toBe(0);
    });
  });

  it.each([...OVER_LIMIT, 0, 36_525 * DAY + 1])(
    "createServiceType rejects a duration of %d ms",
    async (durationMs) => {
      const { host, demo } = await start();
      const type = { serviceName: "Member", durationMs };
      expect(await expectFailure(createServiceType(host, demo.appId, type))).toEqual(
        invalid("durationMs", "duration"),
      );
    },
  );

  describe("createDownloadsClient", () => {
    it.each([...OVER_LIMIT, 10_000_000_001])("rejects a limit of %d requests a day", async (dailyLimit) => {
      const { host, demo } = await start();
      const client = { appId: demo.appId, dailyLimit };
      const failure = await expectFailure(createDownloadsClient(host, client));
      expect(failure).toEqual(invalid("dailyLimit", ruleOf(dailyLimit)));
    });

    it("rejects an id with a comma", async () => {
      const { host, demo } = await start();
      const client = { appId: demo.appId, dailyLimit: 1, clientId: "a,b-and-more-to-guess" };
      expect(await expectFailure(createDownloadsClient(host, client))).toEqual(invalid("clientId", "comma"));
      expect(await expectOk(host.downloadsClients.find("a,b-and-more-to-guess"))).toBeUndefined();
    });
  });

  it.each(["legacy", "v2"] as const)("refuses a client at its end like an unknown id (%s)", async (face) => {
    const service = await start();
    const { host } = service;
    const clientId = await aDownloadsClient(service, 9);
    const ask = (id: string) => askReport(service, face, { id, start: "2026-01-01", end: "2026-01-02" });
    const unknown = await ask("client-of-nothing");
    const rotated = await expectOk(rotateDownloadsClient(host, { clientId, overlap: MINUTE }));
    expect([rotated.dailyLimit, rotated.appId]).toEqual([9, service.demo.appId]);
    host.clock.advance(MINUTE - 1);
    expect((await ask(clientId)).status).toBe(200);
    host.clock.advance(1);
    const ended = await ask(clientId);
    expect([ended.status, ended.text]).toEqual([unknown.status, unknown.text]);
    expect((await ask(rotated.clientId)).status).toBe(200);
    const again = rotateDownloadsClient(host, { clientId, overlap: 0 });
    expect(await expectFailure(again)).toEqual({ name: "downloads-client.ended", clientId });
    await expectOk(enableDownloadsClient(host, clientId));
    expect((await ask(clientId)).status).toBe(200);
    await expectOk(disableDownloadsClient(host, clientId));
    expect((await ask(clientId)).status).toBe(unknown.status);
  });

  describe.each([
    ["that works", []],
    ["whose id was replaced", ["replace"]],
    ["whose replaced id has ended", ["replace", "end"]],
    ["that is disabled", ["disable"]],
  ] as const)("a client %s", (state, steps) => {
    /** Creates a client in the state, and returns functions that change and use this client. */
    const aClientThere = async () => {
      const service = await start();
      const { host } = service;
      const clientId = await aDownloadsClient(service, 9);
      const commands = {
        replace: () => rotateDownloadsClient(host, { clientId, overlap: MINUTE }),
        disable: () => disableDownloadsClient(host, clientId),
        enable: () => enableDownloadsClient(host, clientId),
        limit: () => setDownloadsClientLimit(host, clientId, 8),
      };
      for (const step of steps) {
        if (step === "end") host.clock.advance(MINUTE);
        else await expectOk(commands[step]());
      }
      const clients = async () => (await expectOk(host.downloadsClients.list())).length;
      const ask = () => askReport(service, "v2", { id: clientId, start: "2026-01-01", end: "2026-01-02" });
      return { commands, clients, isServed: async () => (await ask()).status === 200 };
    };
    const works = state === "that works" || state === "whose id was replaced";

    it.each([
      ["disable", false],
      ["enable", true],
      ["limit", works],
    ] as const)(`after %s, gets a report: %s`, async (command, isServed) => {
      const client = await aClientThere();
      expect(await client.isServed()).toBe(works);
      await expectOk(client.commands[command]());
      expect(await client.isServed()).toBe(isServed);
    });

    it("has at most one successor", async () => {
      const client = await aClientThere();
      const before = await client.clients();
      const replaced = await client.commands.replace();
      expect(replaced.isOk()).toBe(state === "that works");
      expect(await client.clients()).toBe(before + (replaced.isOk() ? 1 : 0));
      expect(await client.isServed()).toBe(works);
    });
  });

  it("never reads two ids in a query as one id with a comma", async () => {
    const service = await start();
    const { host, demo } = service;
    const [left, right] = [await aDownloadsClient(service, 9), unique("client-")];
    const clientId = `${left},${right}`;
    await expectOk(
      host.downloadsClients.insertOnce({ clientId, appId: demo.appId, dailyLimit: 9, gmtCreate: 0 }),
    );
    const query = `id=${left}&id=${right}&start=2026-01-13&end=2026-01-15`;
    expect(at((await askReport(service, "v2", query)).data, "errorCode")).toBe("ID_NOT_ALLOWED");
  });
}
