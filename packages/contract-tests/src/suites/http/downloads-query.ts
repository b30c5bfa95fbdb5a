import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { aCount } from "../../support/fixtures.js";
import { expectOk } from "../../support/open-before-each.js";
import { anyCharacter } from "../../support/http/any-character.js";
import { at } from "../../support/http/json.js";
import { aDownloadsClient, aClientWithoutApp, askReport, type Face, WITHOUT_APP } from "./downloads.js";
import type { StartService } from "../../support/http/service.js";

const known = { id: "known", start: "2026-01-13", end: "2026-01-15" };

/** Generates dates, and texts that look like dates. */
const aDate = fc.oneof(
  {
    weight: 4,
    arbitrary: fc
      .date({ min: new Date("2024-01-01"), max: new Date("2026-12-31"), noInvalidDate: true })
      .map((date) => date.toISOString().slice(0, 10)),
  },
  fc.constantFrom(
    "",
    "2026-02-29",
    "2026-13-01",
    "2026-1-5",
    "20260115",
    "2026-01-15T00:00:00Z",
    " 2026-01-15",
    "%zz",
    "0000-00-00",
    "９",
  ),
);

/**
 * Generates parts of a query string: meaningful characters, other characters, and encoded bytes.
 */
const aPart = fc.string({
  unit: fc.oneof(
    { weight: 5, arbitrary: fc.constantFrom(...Array.from("aZ09-._~!$&'()*+,;=:@/?")) },
    anyCharacter.map(encodeURIComponent),
  ),
});

/** Generates query strings with missing, repeated, reordered or broken parameters. */
const aQuery = fc
  .array(
    fc.oneof(
      {
        weight: 3,
        arbitrary: fc.constantFrom("known", "known", "gone", "nobody", "", "Known").map((id) => `id=${id}`),
      },
      { weight: 3, arbitrary: aDate.map((date) => `start=${date}`) },
      { weight: 3, arbitrary: aDate.map((date) => `end=${date}`) },
      aPart,
    ),
    { minLength: 0, maxLength: 5 },
  )
  .map((parts) => parts.join("&"));

const aPlainQuery = fc
  .record({ id: fc.constantFrom("known", "known", "gone", "nobody"), start: aDate, end: aDate })
  .map(({ id, start, end }) => `id=${id}&start=${start}&end=${end}`);

/** Generates queries of one client, as functions of its id. Many are of a whole year. */
export const aReportQuery = fc
  .oneof(
    { weight: 2, arbitrary: fc.constant("id=known&start=2024-01-01&end=2024-12-31") },
    { weight: 2, arbitrary: aPlainQuery },
    aQuery,
  )
  .map((query) => (id: string) => query.replaceAll("id=known", `id=${id}`));

/** Tests how the two versions handle a query. */
export function downloadsQueryContract(start: StartService): void {
  it("returns equal bodies in both versions, for any request", async () => {
    const service = await start(WITHOUT_APP);
    await expectOk(
      service.host.downloads.upsert([
        [
          aCount({ appId: service.demo.appId, date: "2025-06-01", store: "a" }),
          aCount({ appId: service.demo.appId, date: "2025-06-02", store: "b" }),
        ],
      ]),
    );
    // Creates two equal clients, one per version. After the same requests, both have the same
    // usage.
    const clients = async () => ({
      known: await aDownloadsClient(service, 12),
      gone: await aClientWithoutApp(service, 12),
    });
    const of = { legacy: await clients(), v2: await clients() };
    const named = (face: Face, query: string) =>
      query.replaceAll("id=known", `id=${of[face].known}`).replaceAll("id=gone", `id=${of[face].gone}`);
    const seen = new Set<unknown>();
    await fc.assert(
      fc.asyncProperty(fc.oneof({ weight: 2, arbitrary: aPlainQuery }, aQuery), async (query) => {
        const [legacy, v2] = await Promise.all([
          askReport(service, "legacy", named("legacy", query)),
          askReport(service, "v2", named("v2", query)),
        ]);
        expect(legacy.text).toBe(v2.text);
        expect(legacy.status).toBe(200);
        const names = ["content-type", "ratelimit-limit", "ratelimit-remaining", "ratelimit-reset"];
        for (const name of names) expect(legacy.headers.get(name)).toBe(v2.headers.get(name));
        expect(legacy.headers.has("retry-after")).toBe(false);
        expect(v2.headers.has("retry-after")).toBe(v2.status === 429);
        expect(v2.status === 200).toBe(at(v2.data, "result") === "success");
        const limit = at(v2.data, "usage", "dailyLimit") ?? at(v2.data, "dailyLimit");
        const remaining = at(v2.data, "usage", "remainingToday") ?? at(v2.data, "remainingToday");
        expect(v2.headers.get("ratelimit-limit")).toBe(limit === undefined ? null : JSON.stringify(limit));
        expect(v2.headers.get("ratelimit-remaining")).toBe(
          remaining === undefined ? null : JSON.stringify(remaining),
        );
        seen.add(at(v2.data, "errorCode") ?? "success");
      }),
      // With a fixed seed, the expectations below do not depend on chance.
      { numRuns: 300, seed: 20_260_115 },
    );
    expect([...seen].sort()).toEqual([
      "DAILY_LIMIT_REACHED",
      "DATE_RANGE_TOO_LONG",
      "ID_NOT_ALLOWED",
      "ID_NOT_FOUND",
      "INVALID_DATE",
      "INVALID_DATE_RANGE",
      "MISSING_REQUIRED_QUERY_PARAMS",
      "success",
    ]);
  });

  describe("is checked in the documented order:", () => {
    const bad = {
      missing: "end=",
      date: "end=2026-02-30",
      order: "end=2026-01-12",
      length: "end=2027-01-14",
    };
    it.each([
      [
        "a missing parameter before a wrong date",
        `id=nobody&start=nonsense&${bad.missing}`,
        "MISSING_REQUIRED_QUERY_PARAMS",
      ],
      [
        "a missing id before a wrong date",
        `id=&start=nonsense&end=nonsense`,
        "MISSING_REQUIRED_QUERY_PARAMS",
      ],
      ["a wrong date before an unknown id", `id=nobody&start=2026-01-13&${bad.date}`, "INVALID_DATE"],
      [
        "a date given twice, which is not a valid date",
        `id=known&start=2026-01-13&start=2026-01-13&end=2026-01-15`,
        "INVALID_DATE",
      ],
      ["the order before an unknown id", `id=nobody&start=2026-01-13&${bad.order}`, "INVALID_DATE_RANGE"],
      ["the length before an unknown id", `id=nobody&start=2026-01-13&${bad.length}`, "DATE_RANGE_TOO_LONG"],
      [
        "an id given twice, which belongs to no client",
        `id=known&id=known&start=2026-01-13&end=2026-01-15`,
        "ID_NOT_ALLOWED",
      ],
      ["broken encoding, which is not a valid date", `id=known&start=2026-01-13&end=%zz`, "INVALID_DATE"],
    ])("%s", async (_order, query, errorCode) => {
      const service = await start();
      const id = await aDownloadsClient(service, 1);
      for (const face of ["legacy", "v2"] as const) {
        const answer = await askReport(service, face, query.replaceAll("id=known", `id=${id}`));
        expect(answer.data).toMatchObject({ errorCode });
      }
      // No invalid request counts towards the daily limit.
      const usual = await askReport(service, "v2", { ...known, id });
      expect(usual.data).toMatchObject({ usage: { usedToday: 1 } });
    });

    it("the app before the allowance, and the allowance before the counts", async () => {
      const service = await start(WITHOUT_APP);
      const gone = await aClientWithoutApp(service, 0);
      expect((await askReport(service, "v2", { ...known, id: gone })).data).toMatchObject({
        errorCode: "ID_NOT_FOUND",
      });
      const none = await aDownloadsClient(service, 0);
      expect((await askReport(service, "v2", { ...known, id: none })).data).toMatchObject({
        errorCode: "DAILY_LIMIT_REACHED",
        dailyLimit: 0,
        usedToday: 0,
        remainingToday: 0,
      });
    });

    it.each([
      ["2024-12-31", "2025-12-31", 200],
      ["2024-12-31", "2026-01-01", 400],
      ["2026-01-15", "2026-01-15", 200],
    ])("a range from %s to %s is HTTP %i", async (from, to, status) => {
      const service = await start();
      const id = await aDownloadsClient(service, 1);
      expect((await askReport(service, "v2", { id, start: from, end: to })).status).toBe(status);
    });
  });
}
