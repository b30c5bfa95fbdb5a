import { createDownloadsClient, type DailyCount } from "@tillkit/core";
import { okAsync } from "neverthrow";
import { describe, expect, it } from "vitest";
import { aCount, anApp, DAY, unique } from "../../support/fixtures.js";
import { expectOk } from "../../support/open-before-each.js";
import { type ServiceReply, fetchAnswer } from "../../support/http/caller.js";
import { ANY_TEXT, at, listAt, membersOf, numberAt, textAt } from "../../support/http/json.js";
import {
  throwingPort,
  type Service,
  type ServiceChanges,
  type StartService,
} from "../../support/http/service.js";

/** The paths of the two versions. */
const FACES = { legacy: "/misc/downloads-api", v2: "/misc/v2/downloads-api" } as const;

/** A version of the downloads API. */
export type Face = keyof typeof FACES;

/** Requests a report. A text query is sent unchanged. */
export function askReport(
  { metricsUrl }: Service,
  face: Face,
  query: string | Readonly<Record<string, string>>,
): Promise<ServiceReply> {
  const search = typeof query === "string" ? query : new URLSearchParams(query).toString();
  return fetchAnswer(`${metricsUrl}${FACES[face]}${search === "" ? "" : `?${search}`}`);
}

/** Creates a client of the demo app, or of another app. */
export async function aDownloadsClient(
  { host, demo }: Service,
  dailyLimit: number,
  appId: string = demo.appId,
): Promise<string> {
  const client = { appId, dailyLimit, clientId: unique("client-of-reports-") };
  return (await expectOk(createDownloadsClient(host, client))).clientId;
}

const GONE = "app_gone";

/**
 * Makes the app of `aClientWithoutApp` unknown to the service.
 *
 * Tillkit never deletes an app, but an administrator can delete it in the database.
 */
export const WITHOUT_APP: ServiceChanges = {
  ports: (ports) => ({
    ...ports,
    apps: {
      ...ports.apps,
      find: (appId) => (appId === GONE ? okAsync(undefined) : ports.apps.find(appId)),
      getCached: (appId) => (appId === GONE ? undefined : ports.apps.getCached(appId)),
    },
  }),
};

/** Creates a client whose app is unknown to a service with {@link WITHOUT_APP}. */
export async function aClientWithoutApp(service: Service, dailyLimit: number): Promise<string> {
  await expectOk(service.host.apps.insertOnce(anApp({ appId: GONE })));
  return aDownloadsClient(service, dailyLimit, GONE);
}

const range = { start: "2026-01-13", end: "2026-01-15" };

interface DownloadsCase {
  readonly errorCode: string;
  readonly status: number;
  readonly changes?: ServiceChanges;
  /** Sends requests until the response is the error. */
  readonly ask: (service: Service, face: Face) => Promise<ServiceReply>;
}

const CASES: readonly DownloadsCase[] = [
  {
    errorCode: "MISSING_REQUIRED_QUERY_PARAMS",
    status: 400,
    ask: (service, face) => askReport(service, face, { id: "x", start: range.start }),
  },
  {
    errorCode: "INVALID_DATE",
    status: 400,
    ask: (service, face) => askReport(service, face, { id: "x", start: "2026-02-29", end: "2026-03-01" }),
  },
  {
    errorCode: "INVALID_DATE_RANGE",
    status: 400,
    ask: (service, face) => askReport(service, face, { id: "x", start: range.end, end: range.start }),
  },
  {
    errorCode: "DATE_RANGE_TOO_LONG",
    status: 400,
    ask: (service, face) => askReport(service, face, { id: "x", start: "2025-01-01", end: "2026-01-02" }),
  },
  {
    errorCode: "ID_NOT_ALLOWED",
    status: 403,
    ask: (service, face) => askReport(service, face, { id: "nobody", ...range }),
  },
  {
    errorCode: "ID_NOT_FOUND",
    status: 404,
    changes: WITHOUT_APP,
    ask: async (service, face) =>
      askReport(service, face, { id: await aClientWithoutApp(service, 3), ...range }),
  },
  {
    errorCode: "DAILY_LIMIT_REACHED",
    status: 429,
    ask: async (service, face) => {
      const id = await aDownloadsClient(service, 1);
      await askReport(service, face, { id, ...range });
      return askReport(service, face, { id, ...range });
    },
  },
  {
    errorCode: "LIMIT_CHECK_FAILED",
    status: 500,
    changes: { ports: (ports) => ({ ...ports, quotas: throwingPort(ports.quotas) }) },
    ask: async (service, face) =>
      askReport(service, face, { id: await aDownloadsClient(service, 3), ...range }),
  },
  {
    errorCode: "DOWNLOADS_FETCH_FAILED",
    status: 500,
    changes: { ports: (ports) => ({ ...ports, downloads: throwingPort(ports.downloads) }) },
    ask: async (service, face) =>
      askReport(service, face, { id: await aDownloadsClient(service, 3), ...range }),
  },
];

/** Tests the downloads report: errors, daily limit and counts. */
export function downloadsContract(start: StartService): void {
  describe.each(CASES)("$errorCode", ({ errorCode, status, changes, ask }) => {
    it.each(["legacy", "v2"] as const)("is returned by %s with its body and status", async (face) => {
      const answer = await ask(await start(changes), face);
      expect(answer.status).toBe(face === "legacy" ? 200 : status);
      expect(answer.data).toMatchObject({ result: "error", responseBody: ANY_TEXT, errorCode });
      expect(textAt(answer.data, "responseBody")).not.toBe("");
      const limited = errorCode === "DAILY_LIMIT_REACHED";
      const members = ["result", "responseBody", "errorCode"];
      const usage = ["dailyLimit", "usedToday", "remainingToday", "resetAt"];
      expect(membersOf(answer.data)).toEqual([...members, ...(limited ? usage : [])].sort());
      expect(answer.headers.has("retry-after")).toBe(answer.status === 429);
      expect(answer.headers.has("ratelimit-limit")).toBe(limited);
      expect(answer.headers.get("content-type")).toMatch(/^application\/json/);
    });
  });

  it("reports every day, every store by name, and totals that add up", async () => {
    const service = await start();
    const { demo, second, host } = service;
    const count = (changes: Partial<DailyCount>) => aCount({ appId: demo.appId, ...changes });
    await expectOk(
      host.downloads.upsert([
        [
          count({ store: "store_02", date: "2026-01-14", newDownloads: 10, updateDownloads: 1 }),
          count({ store: "store_01", date: "2026-01-15", newDownloads: 3, updateDownloads: 5 }),
          count({ store: "store_01", date: "2026-01-13", newDownloads: 100, updateDownloads: 20 }),
          count({ store: "store_03", date: "2026-01-12" }),
          count({ appId: second.appId, date: "2026-01-14" }),
        ],
      ]),
    );
    const id = await aDownloadsClient(service, 10);
    const answer = await askReport(service, "v2", { id, ...range });
    const day = (date: string, newDownloads: number, updateDownloads: number) => ({
      date,
      newDownloads,
      updateDownloads,
      totalDownloads: newDownloads + updateDownloads,
    });
    const nothing = (date: string) => day(date, 0, 0);
    expect(answer.json).toEqual({
      data: {
        result: "success",
        usage: { dailyLimit: 10, usedToday: 1, remainingToday: 9 },
        downloadsData: {
          ...range,
          downloads: [
            { store: "All Stores", newDownloads: 113, updateDownloads: 26, totalDownloads: 139 },
            {
              store: "store_01",
              newDownloads: 103,
              updateDownloads: 25,
              totalDownloads: 128,
              downloadsArray: [day("2026-01-13", 100, 20), nothing("2026-01-14"), day("2026-01-15", 3, 5)],
            },
            {
              store: "store_02",
              newDownloads: 10,
              updateDownloads: 1,
              totalDownloads: 11,
              downloadsArray: [nothing("2026-01-13"), day("2026-01-14", 10, 1), nothing("2026-01-15")],
            },
          ],
        },
      },
    });
    expect(answer.headers.get("cache-control")).toBe("no-store");
  });

  it("reports zeros if nothing was counted, over 366 days including a leap day", async () => {
    const service = await start();
    await expectOk(
      service.host.downloads.upsert([
        [aCount({ appId: service.demo.appId, date: "2024-02-29", store: "only" })],
      ]),
    );
    const id = await aDownloadsClient(service, 10);
    const year = await askReport(service, "v2", { id, start: "2024-01-01", end: "2024-12-31" });
    const [all, only] = listAt(year.data, "downloadsData", "downloads");
    expect(at(all, "totalDownloads")).toBe(8);
    const days = listAt(only, "downloadsArray").map((one) => textAt(one, "date"));
    expect(days).toHaveLength(366);
    expect(days).toEqual(days.toSorted());
    expect([days[0], days[59], days[365]]).toEqual(["2024-01-01", "2024-02-29", "2024-12-31"]);
    const empty = await askReport(service, "v2", { id, start: "2023-01-01", end: "2023-01-01" });
    expect(listAt(empty.data, "downloadsData", "downloads")).toEqual([
      { store: "All Stores", newDownloads: 0, updateDownloads: 0, totalDownloads: 0 },
    ]);
  });

  it("serves 3 of 12 concurrent requests with an allowance of 3, and more after resetAt", async () => {
    const service = await start();
    const id = await aDownloadsClient(service, 3);
    const ask = () => askReport(service, "v2", { id, ...range });
    const answers = await Promise.all(Array.from({ length: 12 }, ask));
    const served = answers.filter(({ status }) => status === 200);
    expect(served.map(({ data }) => numberAt(data, "usage", "usedToday")).sort()).toEqual([1, 2, 3]);
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused).toHaveLength(9);
    for (const { data } of refused)
      expect(data).toMatchObject({ dailyLimit: 3, usedToday: 3, remainingToday: 0 });

    const resetAt = textAt(refused[0]?.data, "resetAt");
    expect(resetAt).toMatch(/^\d{4}-\d\d-\d\dT00:00:00\+08:00$/);
    const { clock } = service.host;
    clock.advance(Date.parse(resetAt) - clock.now() - 1);
    expect((await ask()).status).toBe(429);
    clock.advance(1);
    expect((await ask()).data).toMatchObject({ usage: { dailyLimit: 3, usedToday: 1, remainingToday: 2 } });
  });

  it("counts both versions together, and each client separately", async () => {
    const service = await start();
    const [id, other] = [await aDownloadsClient(service, 2), await aDownloadsClient(service, 2)];
    await askReport(service, "legacy", { id, ...range });
    await askReport(service, "v2", { id, ...range });
    expect((await askReport(service, "legacy", { id, ...range })).data).toMatchObject({
      errorCode: "DAILY_LIMIT_REACHED",
    });
    expect((await askReport(service, "v2", { id: other, ...range })).status).toBe(200);
  });

  it("counts no request against the daily limit if reading the counts fails, and reads no counts if the limit cannot be checked", async () => {
    let fails = true;
    const service = await start({
      ports: (ports) => ({
        ...ports,
        downloads: {
          ...ports.downloads,
          read: (...requests) => (fails ? throwingPort(ports.downloads) : ports.downloads).read(...requests),
        },
      }),
    });
    const id = await aDownloadsClient(service, 1);
    const ask = () => askReport(service, "v2", { id, ...range });
    for (let failures = 0; failures < 3; failures += 1) {
      expect((await ask()).data).toMatchObject({ errorCode: "DOWNLOADS_FETCH_FAILED" });
    }
    fails = false;
    expect((await ask()).data).toMatchObject({ usage: { usedToday: 1, remainingToday: 0 } });

    const reads: string[] = [];
    const uncounted = await start({
      ports: (ports) => ({
        ...ports,
        quotas: throwingPort(ports.quotas),
        downloads: {
          ...ports.downloads,
          read: (...requests) => {
            reads.push(requests[0]);
            return ports.downloads.read(...requests);
          },
        },
      }),
    });
    const answer = await askReport(uncounted, "v2", { id: await aDownloadsClient(uncounted, 1), ...range });
    expect(answer.status).toBe(500);
    expect(reads).toEqual([]);
  });

  it("derives its RateLimit headers from the body, and sends Retry-After only with 429", async () => {
    const service = await start();
    const id = await aDownloadsClient(service, 1);
    const { clock } = service.host;
    const seconds = String(Math.ceil((DAY - ((clock.now() + 8 * 3_600_000) % DAY)) / 1_000));
    const headersOf = ({ headers }: ServiceReply) =>
      ["limit", "remaining", "reset"].map((name) => headers.get(`ratelimit-${name}`));
    const served = await askReport(service, "v2", { id, ...range });
    expect(headersOf(served)).toEqual(["1", "0", seconds]);
    expect(served.headers.get("retry-after")).toBeNull();
    const refused = await askReport(service, "v2", { id, ...range });
    expect(refused.status).toBe(429);
    expect(headersOf(refused)).toEqual(["1", "0", seconds]);
    expect(refused.headers.get("retry-after")).toBe(seconds);
    const legacy = await askReport(service, "legacy", { id, ...range });
    expect(legacy.status).toBe(200);
    expect(headersOf(legacy)).toEqual(["1", "0", seconds]);
    expect(legacy.headers.get("retry-after")).toBeNull();
  });
}
