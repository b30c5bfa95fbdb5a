import { rotateSecret } from "@tillkit/core/operators";
import { describe, expect, it } from "vitest";
import { MINUTE } from "../../support/fixtures.js";
import { expectOk } from "../../support/open-before-each.js";
import { callerAt, type CallerRequest, fetchAnswer } from "../../support/http/caller.js";
import { sendRaw } from "../../support/http/send-verbatim.js";
import { ANY_NUMBER, ANY_TEXT, aTextLike, listAt } from "../../support/http/json.js";
import { aPurchase } from "../../support/http/purchases.js";
import type { StartService } from "../../support/http/service.js";

const QUERY_ENDPOINTS = ["/payTools.json", "/detail.json", "/history.json", "/sms.json", "/checkAuth.json"];

/** Tests the HTTP protocol for all endpoints. */
export function wireContract(start: StartService): void {
  describe("an endpoint that does not exist", () => {
    it.each([
      ["GET", ""],
      ["GET", "/"],
      ["GET", "/payTools"],
      ["GET", "/paytools.json"],
      ["GET", "/payTools.json//"],
      ["GET", "/payTools.json/x"],
      ["GET", "/x//payTools.json"],
      ["GET", "/payTools%2Ejson"],
      ["POST", "/payTools.json"],
      ["GET", "/order.json"],
      ["PUT", "/order.json"],
      ["DELETE", "/detail.json"],
      ["POST", "/history.json"],
      ["GET", "/auth.json"],
      ["GET", "/customerServiceMgmt/.json"],
      ["GET", "/customerServiceMgmt/a/b.json"],
      ["GET", "/customerServiceMgmt/a"],
      ["GET", "/__proto__"],
    ] as const)("is 10014: %s %s", async (method, path) => {
      const { demo } = await start();
      const answer = await demo.send({ method, path });
      expect(answer).toMatchObject({ status: 404, code: 10014, msg: "No such endpoint" });
      expect(answer.traceId).toBe(answer.headers.get("x-trace-id"));
    });
  });

  describe("a request that cannot be read is 10001:", () => {
    const post = (body: string | Uint8Array<ArrayBuffer>): CallerRequest => ({
      method: "POST",
      path: "/order.json",
      body,
    });
    const utf8 = (text: string) => new TextEncoder().encode(text);
    const purchase = '"bizNo":"b-1","customerIdentity":"c-1","goodsTitle":"t","payChannel":"WALLET_A"';
    it.each<readonly [string, CallerRequest]>([
      ["no body", { method: "POST", path: "/order.json" }],
      ["no JSON", post("amount=600")],
      ["JSON cut short", post(`{${purchase}`)],
      ["two JSON values", post("{}{}")],
      ["a JSON array", post("[]")],
      ["a JSON text", post('"{}"')],
      ["null", post("null")],
      ["a comment in JSON", post("{/**/}")],
      ["bytes that are not UTF-8", post(Uint8Array.of(...utf8('{"bizNo":"'), 0xff, ...utf8('"}')))],
      ["UTF-8 cut short", post(utf8('{"bizNo":"会"}').slice(0, 12))],
      ["a surrogate in UTF-8", post(Uint8Array.of(...utf8('{"a":"'), 0xed, 0xa0, 0x80, ...utf8('"}')))],
      ["UTF-16", post(Uint8Array.of(0xff, 0xfe, 0x7b, 0x00, 0x7d, 0x00))],
      ["a key twice", post(`{${purchase},"amount":1,"amount":1}`)],
      ["a key twice, once escaped", post(`{${purchase},"amount":1,"\\u0061mount":2}`)],
      ["an unknown key twice", post(`{${purchase},"amount":1,"x":1,"x":[]}`)],
      ...QUERY_ENDPOINTS.flatMap((path): (readonly [string, CallerRequest])[] => [
        [`a broken percent-encoding at ${path}`, { path, query: "customerIdentity=%zz" }],
        [`a percent sign at the end at ${path}`, { path, query: "customerIdentity=100%" }],
        [`encoded bytes that are not UTF-8 at ${path}`, { path, query: "customerIdentity=%ff" }],
        [`a parameter twice at ${path}`, { path, query: "bizNo=b&customerIdentity=c&customerIdentity=c" }],
        [`a name twice, once encoded, at ${path}`, { path, query: "token=a&%74oken=b&bizNo=b" }],
      ]),
      ["a broken percent-encoding in the path", { path: "/customerServiceMgmt/%zz.json" }],
      ["encoded bytes in the path that are not UTF-8", { path: "/customerServiceMgmt/%ff%fe.json" }],
    ])("%s", async (_what, request) => {
      const { demo } = await start();
      expect((await demo.send(request)).code).toBe(10001);
    });
  });

  it("reads a plus sign in a query as a space, and %2B as a plus sign, and ignores keys in nested values", async () => {
    const { demo } = await start();
    const identity = "a b+c";
    expect((await demo.post("/order.json", aPurchase({ customerIdentity: identity }))).code).toBe(0);
    const { data } = await demo.send({ path: "/history.json", query: "customerIdentity=a+b%2Bc" });
    expect(data).toMatchObject({ totalCount: 1 });
    const nested = { one: { k: 1 }, two: { k: 2 }, text: '"amount":1,{' };
    expect((await demo.post("/order.json", aPurchase({ ...nested }))).code).toBe(0);
  });

  it("accepts a body of 64 KiB and rejects one byte more", async () => {
    const { demo, ports } = await start();
    const { maxRequestBytes } = ports.policy;
    expect(maxRequestBytes).toBe(65_536);
    const padded = (length: number) => JSON.stringify(aPurchase()).padEnd(length, " ");
    expect((await demo.postText("/order.json", padded(maxRequestBytes))).code).toBe(0);
    expect((await demo.postText("/order.json", padded(maxRequestBytes + 1))).code).toBe(10011);
    expect((await demo.postText("/order.json", padded(65 * 1_024))).code).toBe(10011);
    expect((await demo.postText("/auth.json", padded(65 * 1_024))).code).toBe(10011);
  });

  it("accepts a long text and deep nesting in an unknown field", async () => {
    const { demo } = await start();
    const withField = (value: string) => JSON.stringify(aPurchase()).replace("{", `{"x":${value},`);
    expect((await demo.postText("/order.json", withField(JSON.stringify('\\"'.repeat(15_000))))).code).toBe(
      0,
    );
    const deep = `${"[".repeat(30_000)}${"]".repeat(30_000)}`;
    expect((await demo.postText("/order.json", withField(deep))).code).toBe(0);
  });

  it("returns only the failure of the missing credentials, even if the rest of the request is invalid", async () => {
    const { baseUrl } = await start();
    const credentials = { appId: "", appSecret: "" };
    const unknown = callerAt(baseUrl, credentials);
    expect((await unknown.postText("/order.json", " ".repeat(70_000))).code).toBe(1);
    expect((await unknown.send({ path: "/detail.json", query: "%zz" })).code).toBe(1);
  });

  describe("credentials", () => {
    it("are two headers with names in any case, and neither may be missing or empty", async () => {
      const { baseUrl, demo } = await start();
      const code = async (headers: Readonly<Record<string, string>>) =>
        (await fetchAnswer(`${baseUrl}/payTools.json`, { headers: { ...headers } })).code;
      const { appId: APP_ID, appSecret: APP_SECRET } = demo;
      expect(await code({ APP_ID, APP_SECRET })).toBe(0);
      expect(await code({ app_id: APP_ID, App_Secret: APP_SECRET })).toBe(0);
      for (const headers of [
        {},
        { APP_ID },
        { APP_SECRET },
        { APP_ID: "", APP_SECRET },
        { APP_ID, APP_SECRET: "" },
      ]) {
        expect(await code({ ...headers })).toBe(1);
      }
    });

    it("get the same answer for an unknown app, a wrong secret, another app's secret and a disabled app", async () => {
      const { baseUrl, demo, second, host } = await start();
      const gone = await expectOk(host.apps.setDisabled(second.appId, true, host.clock.now()));
      expect(gone?.disabled).toBe(true);
      const wrong = [
        { appId: "app_none", appSecret: demo.appSecret },
        { appId: demo.appId, appSecret: `${demo.appSecret}x` },
        { appId: demo.appId, appSecret: demo.appSecret.slice(0, -1) },
        { appId: demo.appId, appSecret: second.appSecret },
        { appId: "__proto__", appSecret: demo.appSecret },
        second,
      ];
      for (const credentials of wrong) {
        const { text, traceId } = await callerAt(baseUrl, credentials).get("/payTools.json");
        expect(text).toBe(
          `{"code":1001,"msg":"APP_ID or APP_SECRET is not valid","traceId":"${String(traceId)}"}`,
        );
      }
    });

    it("with the old or the new secret work during a rotation's overlap, and then only with the new secret", async () => {
      const { baseUrl, demo, host } = await start();
      const rotate = async () => {
        const { appSecret } = await expectOk(rotateSecret(host, demo.appId, 10 * MINUTE));
        return callerAt(baseUrl, { appId: demo.appId, appSecret });
      };
      const codes = (...callers: readonly (typeof demo)[]) =>
        Promise.all(callers.map(async (caller) => (await caller.get("/payTools.json")).code));
      const next = await rotate();
      expect(await codes(demo, next)).toEqual([0, 0]);
      host.clock.advance(10 * MINUTE - 1);
      expect(await codes(demo, next)).toEqual([0, 0]);
      host.clock.advance(1);
      expect(await codes(demo, next)).toEqual([1001, 0]);
      const [third, fourth] = [await rotate(), await rotate()];
      expect(await codes(demo, next, third, fourth)).toEqual([1001, 1001, 0, 0]);
    });
  });

  it("gives every answer its own trace id, always in the header", async () => {
    const { demo } = await start();
    const answers = await Promise.all([
      demo.get("/payTools.json"),
      demo.get("/detail.json", { bizNo: "b-1", customerIdentity: "c-1" }),
      demo.post("/order.json", aPurchase()),
      demo.get("/none"),
    ]);
    const traceIds = answers.map(({ headers }) => headers.get("x-trace-id"));
    for (const traceId of traceIds) expect(traceId).toMatch(/^[0-9a-f]{32}$/);
    expect(new Set(traceIds).size).toBe(4);
    expect(answers[0].json).not.toHaveProperty("traceId");
  });

  it("gives every answer of every surface a trace id", async () => {
    const { baseUrl, metricsUrl, notificationsUrl } = await start();
    const answers = await Promise.all([
      fetchAnswer(`${baseUrl}/payTools.json`, {}),
      fetchAnswer(`${baseUrl}/none.json`, {}),
      fetchAnswer(`${notificationsUrl}/notify/WALLET_A/none/none`, { method: "POST", body: "{}" }),
      fetchAnswer(`${notificationsUrl}/notify/WALLET_B/none/none`, { method: "POST", body: "{}" }),
      fetchAnswer(`${notificationsUrl}/return/WALLET_A`, {}),
      fetchAnswer(`${notificationsUrl}/return/WALLET_B`, {}),
      fetchAnswer(`${notificationsUrl}/none`, {}),
      fetchAnswer(`${metricsUrl}/misc/downloads-api`, {}),
      fetchAnswer(`${metricsUrl}/misc/v2/downloads-api`, {}),
      fetchAnswer(`${metricsUrl}/misc/none`, {}),
    ]);
    const traceIds = answers.map(({ headers }) => headers.get("x-trace-id"));
    for (const traceId of traceIds) expect(traceId).toMatch(/^[0-9a-f]{32}$/);
    expect(new Set(traceIds).size).toBe(answers.length);
  });

  it("answers each of 100 concurrent requests of one connection with its own answer, in order", async () => {
    const { baseUrl, demo } = await start();
    const { origin, pathname } = new URL(baseUrl);
    const requested = Array.from({ length: 100 }, (_, nth) => (nth % 3 === 0 ? "none" : "payTools.json"));
    const requests = requested.map((path, nth) => {
      const secret = nth % 2 === 0 ? demo.appSecret : "wrong";
      const credentials = `APP_ID: ${demo.appId}\r\nAPP_SECRET: ${secret}\r\n`;
      const close = nth === 99 ? "connection: close\r\n" : "";
      return `GET ${pathname}/${path} HTTP/1.1\r\nhost: test\r\n${credentials}${close}\r\n`;
    });
    const replies = (await sendRaw(origin, requests.join("")))
      .split(/HTTP\/1\.1 (?:200 OK|404 Not Found)\r\n/)
      .slice(1);
    const reported = replies.map((reply) => /"code":(\d+)/.exec(reply)?.[1]);
    const expected = requested.map((path, nth) => (path === "none" ? "10014" : nth % 2 === 0 ? "0" : "1001"));
    expect(reported).toEqual(expected);
    const traceIds = replies.map((reply) => /^x-trace-id: ([0-9a-f]{32})\r$/im.exec(reply)?.[1]);
    expect(new Set(traceIds).size).toBe(100);
    for (const [nth, reply] of replies.entries())
      if (reported[nth] !== "0") expect(reply).toContain(`"traceId":"${String(traceIds[nth])}"`);
  });

  it("lists pay tools with the documented members, and without wallet-side ids or keys", async () => {
    const { demo } = await start();
    const answer = await demo.get("/payTools.json");
    expect(answer.json).toMatchObject({ code: 0, msg: "success" });
    for (const tool of listAt(answer.data)) {
      expect(tool).toEqual({
        id: ANY_TEXT,
        appId: demo.appId,
        accountId: ANY_TEXT,
        payChannel: aTextLike(/^WALLET_[AB]$/),
        signStatus: "OK",
        appEnv: "DEV",
        appName: "Demo",
        appPackageName: "com.example.demo",
        appSignature: "0123456789abcdef",
        extInfo: {},
        gmtCreate: ANY_NUMBER,
        gmtModified: ANY_NUMBER,
      });
    }
    expect(listAt(answer.data)).toHaveLength(2);
  });
}
