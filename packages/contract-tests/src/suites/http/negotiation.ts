import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { createOrder, createOrderInput, parseInput } from "@tillkit/core";
import fc from "fast-check";
import { expect, it } from "vitest";
import { caseCount } from "../../support/case-count.js";
import { aCount } from "../../support/fixtures.js";
import { at, numberAt, parsedJson } from "../../support/http/json.js";
import type { Service, StartService } from "../../support/http/service.js";
import { expectOk } from "../../support/open-before-each.js";
import { aDownloadsClient } from "./downloads.js";
import { aReportQuery } from "./downloads-query.js";

/** A reply with its body as it was sent, not decoded. */
export interface SentReply {
  readonly status: number | undefined;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: Buffer;
}

/** Sends a request without a body to a surface, and decodes nothing. */
export type SendPlainly = (
  baseUrl: string,
  request: {
    readonly method: string;
    readonly path: string;
    readonly headers: Readonly<Record<string, string>>;
  },
) => Promise<SentReply>;

const V2 = "/misc/v2/downloads-api";
const LEGACY = "/misc/downloads-api";
const YEAR = { start: "2024-01-01", end: "2024-12-31" };
const PLAIN = { "accept-encoding": "identity" };

/** Records counts for every day of a year. With four stores, its report has more than 100 kB. */
async function fillYear({ host, demo }: Service, stores = 4): Promise<void> {
  const counts = Array.from({ length: stores * 366 }, (_, index) =>
    aCount({
      appId: demo.appId,
      store: `store-支付-${index % stores}`,
      date: new Date(Date.UTC(2024, 0, 1 + Math.floor(index / stores))).toISOString().slice(0, 10),
      newDownloads: (index * 7_919) % 10_007,
      updateDownloads: (index * 104_729) % 1_009,
    }),
  );
  await expectOk(host.downloads.upsert([counts]));
}

/** Creates orders of one customer. A page of three has more than 1 KiB. */
async function createOrders(
  { ports, demo }: Service,
  customerIdentity: string,
  bizNos: readonly string[],
): Promise<void> {
  for (const bizNo of bizNos) {
    const terms = { bizNo, customerIdentity, amount: 600, goodsTitle: "会员", payChannel: "WALLET_B" };
    const attachData = JSON.stringify({ note: "支付✓".repeat(20) });
    const input = parseInput(createOrderInput(ports.policy), { ...terms, attachData });
    await expectOk(input.asyncAndThen((valid) => createOrder(ports, demo.appId, valid)));
  }
}

/** Decodes the body by its `content-encoding`. */
function decoded({ headers, body }: SentReply): string {
  const coding = headers["content-encoding"];
  if (coding === undefined) return body.toString();
  if (coding === "br") return brotliDecompressSync(body).toString();
  if (coding === "gzip") return gunzipSync(body).toString();
  throw new Error(`The reply has the coding ${JSON.stringify(coding)}.`);
}

/** Tests that large replies are compressed, and replaced by 304, as the client asks. */
export function negotiationContract(start: StartService, send: SendPlainly): void {
  const report = async (
    { metricsUrl }: Service,
    query: Readonly<Record<string, string>> | string,
    headers: Readonly<Record<string, string>> = {},
    { method = "GET", path = V2 } = {},
  ) => {
    const search = typeof query === "string" ? query : new URLSearchParams(query).toString();
    // Encodes the characters that a client cannot send in a URL.
    const { search: sent } = new URL(`http://host/?${search}`);
    return send(metricsUrl, { method, path: `${path}${sent}`, headers });
  };
  const ask = (
    { baseUrl, demo }: Service,
    path: string,
    headers: Readonly<Record<string, string>>,
    method = "GET",
  ) =>
    send(baseUrl, {
      method,
      path,
      headers: { app_id: demo.appId, app_secret: demo.appSecret, ...headers },
    });

  it.each([
    ["gzip, deflate, br", "br"],
    ["gzip", "gzip"],
    ["br;q=0.1, gzip;q=0.9", "gzip"],
    ["br;q=0, *;q=0.1", "gzip"],
    ["gzip, identity;q=0", "gzip"],
    ["deflate", undefined],
    ["identity;q=0", undefined],
    ["", undefined],
  ])("answers Accept-Encoding %j with the coding %s, and with the same report", async (accepted, coding) => {
    const service = await start();
    await fillYear(service);
    const id = await aDownloadsClient(service, 10);
    const [plain, reply] = [
      await report(service, { id, ...YEAR }, PLAIN),
      await report(service, { id, ...YEAR }, { "accept-encoding": accepted }),
    ];
    expect(plain.body.length).toBeGreaterThan(100_000);
    expect(reply.headers["content-encoding"]).toBe(coding);
    expect(reply.headers["content-length"]).toBe(String(reply.body.length));
    if (coding !== undefined) expect(reply.body.length).toBeLessThan(plain.body.length / 3);
    const [whole, sent] = [parsedJson(plain.body.toString()), parsedJson(decoded(reply))];
    expect(at(sent, "data", "downloadsData")).toEqual(at(whole, "data", "downloadsData"));
    expect(numberAt(sent, "data", "usage", "usedToday")).toBe(2);
    for (const { status, headers } of [plain, reply]) {
      expect(status).toBe(200);
      expect(headers["vary"]).toBe("accept-encoding");
      expect(headers["content-type"]).toMatch(/^application\/json/);
      expect(headers["cache-control"]).toBe("no-store");
      expect(headers["etag"]).toBe(plain.headers["etag"]);
    }
  });

  it("sends a short report without compression, unless the client refuses plain replies", async () => {
    const service = await start();
    const id = await aDownloadsClient(service, 10);
    const day = { id, start: "2024-01-01", end: "2024-01-01" };
    const short = await report(service, day, { "accept-encoding": "gzip" });
    expect(short.headers).toMatchObject({ vary: "accept-encoding" });
    expect(short.headers["content-encoding"]).toBeUndefined();
    const refused = await report(service, day, { "accept-encoding": "gzip, identity;q=0" });
    expect(refused.headers["content-encoding"]).toBe("gzip");
    expect(parsedJson(decoded(refused))).toMatchObject({ data: { result: "success" } });
  });

  it("answers 304 without a body for a known report, and counts it like a 200", async () => {
    const service = await start();
    await fillYear(service);
    const id = await aDownloadsClient(service, 5);
    const first = await report(service, { id, ...YEAR }, PLAIN);
    const etag = String(first.headers["etag"]);
    expect(etag).toMatch(/^W\/"[0-9a-f]{64}"$/);
    for (const [index, known] of [etag, etag.slice(2), `"other", ${etag}`].entries()) {
      const reply = await report(service, { id, ...YEAR }, { "if-none-match": known, ...PLAIN });
      expect(reply.status).toBe(304);
      expect(reply.body).toHaveLength(0);
      expect(reply.headers).toMatchObject({
        etag,
        vary: "accept-encoding",
        "cache-control": "no-store",
        "ratelimit-limit": "5",
        "ratelimit-remaining": String(3 - index),
      });
      expect(reply.headers["content-length"]).toBeUndefined();
      expect(reply.headers["content-encoding"]).toBeUndefined();
    }
    const { appId } = service.demo;
    await expectOk(service.host.downloads.upsert([[aCount({ appId, store: "new", date: "2024-05-05" })]]));
    const changed = await report(service, { id, ...YEAR }, { "if-none-match": etag, ...PLAIN });
    expect(changed.status).toBe(200);
    expect(changed.headers["etag"]).not.toBe(etag);
    expect(parsedJson(changed.body.toString())).toMatchObject({ data: { usage: { remainingToday: 0 } } });
    const limited = await report(service, { id, ...YEAR }, { "if-none-match": "*", ...PLAIN });
    expect(limited.status).toBe(429);
    expect(parsedJson(limited.body.toString())).toMatchObject({ data: { errorCode: "DAILY_LIMIT_REACHED" } });
  });

  it("never answers 304 in the legacy version, which has no ETag", async () => {
    const service = await start();
    await fillYear(service);
    const id = await aDownloadsClient(service, 5);
    const { etag } = (await report(service, { id, ...YEAR }, PLAIN)).headers;
    for (const known of [String(etag), "*"]) {
      const headers = { "if-none-match": known, "accept-encoding": "gzip" };
      const reply = await report(service, { id, ...YEAR }, headers, { path: LEGACY });
      expect(reply.status).toBe(200);
      expect(reply.headers["etag"]).toBeUndefined();
      expect(parsedJson(decoded(reply))).toMatchObject({ data: { result: "success" } });
    }
  });

  it.each([V2, LEGACY])("answers HEAD %s like GET, without the body, and counts it", async (path) => {
    const service = await start();
    await fillYear(service);
    const id = await aDownloadsClient(service, 4);
    const compared = ["content-type", "content-length", "content-encoding", "etag", "vary", "cache-control"];
    for (const accepted of ["identity", "gzip"]) {
      const headers = { "accept-encoding": accepted };
      const head = await report(service, { id, ...YEAR }, headers, { method: "HEAD", path });
      const get = await report(service, { id, ...YEAR }, headers, { path });
      expect(head.status).toBe(200);
      expect(head.body).toHaveLength(0);
      // The two bodies differ in `usedToday`. It has one digit in both, so their plain lengths are
      // equal.
      const names = accepted === "identity" ? compared : compared.filter((name) => !name.endsWith("length"));
      for (const name of names) expect(head.headers[name], name).toBe(get.headers[name]);
    }
    const limited = await report(service, { id, ...YEAR }, {}, { method: "HEAD", path });
    expect(limited.status).toBe(path === V2 ? 429 : 200);
    expect(limited.headers["ratelimit-remaining"]).toBe("0");
    expect(limited.body).toHaveLength(0);
  });

  it("compresses a history, and answers 304 while it has not changed", async () => {
    const service = await start();
    await createOrders(service, "customer-1", ["b-1", "b-2", "b-3", "b-4", "b-5"]);
    const path = "/history.json?customerIdentity=customer-1";
    const plain = await ask(service, path, PLAIN);
    const compressed = await ask(service, path, { "accept-encoding": "br" });
    expect(compressed.headers).toMatchObject({ "content-encoding": "br", vary: "accept-encoding" });
    expect(decoded(compressed)).toBe(plain.body.toString());
    const etag = String(plain.headers["etag"]);
    const known = await ask(service, path, { "if-none-match": etag });
    expect(known).toMatchObject({ status: 304, headers: { etag, "cache-control": "no-store" } });
    expect(known.body).toHaveLength(0);
    await createOrders(service, "customer-of-others", ["b-6"]);
    expect((await ask(service, path, { "if-none-match": etag })).status).toBe(304);
    await createOrders(service, "customer-1", ["b-7"]);
    const changed = await ask(service, path, { "if-none-match": etag, ...PLAIN });
    expect(changed.status).toBe(200);
    expect(parsedJson(changed.body.toString())).toMatchObject({ code: 0, data: { totalCount: 6 } });
    // A failure is neither compressed nor replaced by 304.
    const failed = await ask(service, `${path}&pageSize=1000`, {
      "if-none-match": "*",
      "accept-encoding": "gzip, identity;q=0",
    });
    expect(failed.status).toBe(200);
    expect(failed.headers["content-encoding"]).toBeUndefined();
    expect(parsedJson(failed.body.toString())).toMatchObject({ code: 10_012 });
  });

  it("returns to another app only its own orders, also for the ETag of this app's answer", async () => {
    const service = await start();
    await createOrders(service, "customer-2", ["b-1", "b-2", "b-3"]);
    const path = "/history.json?customerIdentity=customer-2";
    const { etag } = (await ask(service, path, PLAIN)).headers;
    const { second } = service;
    const headers = { app_id: second.appId, app_secret: second.appSecret, "if-none-match": String(etag) };
    const other = await ask(service, path, { ...headers, ...PLAIN });
    expect(other.status).toBe(200);
    expect(parsedJson(other.body.toString())).toMatchObject({ data: { totalCount: 0 } });
    const forged = await ask(service, path, { app_secret: "wrong", "if-none-match": String(etag) });
    expect(forged.status).toBe(200);
    expect(parsedJson(forged.body.toString())).toMatchObject({ code: 1001 });
  });

  it.each([
    "/payTools.json",
    "/detail.json?bizNo=secret-0&customerIdentity=secret",
    "/customerServiceMgmt/secret.json",
    "/checkAuth.json?token=unknown",
    "/auth.json?mobileNo=13800138000&authCode=123456",
    "/none.json",
  ])("compresses and tags nothing else: %s", async (path) => {
    const service = await start();
    await createOrders(service, "secret", ["secret-0"]);
    const headers = { "accept-encoding": "gzip, br, identity;q=0", "if-none-match": "*" };
    const reply = await ask(service, path, headers, path.startsWith("/auth") ? "POST" : "GET");
    expect(reply.status).toBe(path === "/none.json" ? 404 : 200);
    for (const name of ["content-encoding", "vary", "etag"]) expect(reply.headers[name]).toBeUndefined();
    expect(parsedJson(reply.body.toString())).toHaveProperty("code");
  });

  it("leaves CORS to the host: no header of CORS, and no answer to a preflight", async () => {
    const service = await start();
    const id = await aDownloadsClient(service, 10);
    const origin = { origin: "https://page.example", "access-control-request-method": "GET" };
    const replies = [
      await report(service, { id, ...YEAR }, origin),
      await report(service, { id, ...YEAR }, origin, { method: "OPTIONS" }),
      await ask(service, "/payTools.json", origin),
      await ask(service, "/payTools.json", origin, "OPTIONS"),
    ];
    expect(replies.map(({ status }) => status)).toEqual([200, 404, 200, 404]);
    const names = replies.flatMap(({ headers }) => Object.keys(headers));
    expect(names.filter((name) => name.startsWith("access-control-"))).toEqual([]);
  });

  it("answers both versions alike, compressed and plain, for any request", async () => {
    const service = await start();
    await fillYear(service, 1);
    // Creates equal clients, so that all have the same usage after the same requests.
    const runs = caseCount({ few: 40, many: 400 });
    const ways = ["plain legacy", "legacy", "v2", "plain v2"] as const;
    const ids = await Promise.all(ways.map(() => aDownloadsClient(service, Math.ceil(runs / 2))));
    const accepted = fc.constantFrom(
      "gzip",
      "br",
      "gzip, br, identity;q=0",
      "*;q=0.5",
      "br;q=0.3, gzip;q=0.4",
    );
    const codings = new Set<unknown>();
    await fc.assert(
      fc.asyncProperty(aReportQuery, accepted, async (query, coding) => {
        const [plain, ...others] = await Promise.all(
          ways.map(async (way, index) => {
            const headers = { "accept-encoding": way.startsWith("plain") ? "identity" : coding };
            const path = way.endsWith("v2") ? V2 : LEGACY;
            const reply = await report(service, query(ids[index] ?? ""), headers, { path });
            codings.add(reply.headers["content-encoding"]);
            return decoded(reply);
          }),
        );
        expect(others).toEqual([plain, plain, plain]);
      }),
      // With a fixed seed, the expectation below does not depend on chance.
      { numRuns: runs, seed: 20_261_201 },
    );
    expect(codings).toEqual(new Set([undefined, "br", "gzip"]));
  });
}
