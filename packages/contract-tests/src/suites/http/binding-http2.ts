import { randomBytes } from "node:crypto";
import { once } from "node:events";
import type { HttpReply } from "@tillkit/core/http";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type BindingFixture, LIMIT, openBindingFixture } from "../../support/http/binding-fixture.js";
import { type Http2Client, http2Client, type Http2Request } from "../../support/http/http2-client.js";
import { testStream } from "../../support/http/test-stream.js";
import type { OpenBinding } from "../../support/http/open-binding.js";

const FIVE_MEGABYTES = 5 * 1024 * 1024;
const EVENTS = { "content-type": "text/event-stream", "cache-control": "no-store" } as const;

/**
 * Tests that a binding passes requests and replies unchanged over HTTP/2.
 *
 * HTTP/2 needs neither `content-length` nor `transfer-encoding`, and replaces `host` by
 * `:authority`.
 *
 * @param open - Starts a server that speaks HTTP/2 without TLS. It is called before each test.
 * @example
 * ```ts
 * import { http2BindingContract, listenHttp2 } from "@tillkit/contract-tests";
 * import { nodeListener } from "@tillkit/node";
 *
 * http2BindingContract("node:http2", ({ payments, metrics, notifications }) =>
 *   listenHttp2(nodeListener({ "/pay": payments, "/wallets": notifications, "/": metrics })),
 * );
 * ```
 * @see {@link https://www.rfc-editor.org/rfc/rfc9113#name-message-framing | RFC 9113, 8.1}
 */
export function http2BindingContract(binding: string, open: OpenBinding): void {
  describe(`Binding contract over HTTP/2: ${binding}`, () => {
    let fixture: BindingFixture;
    let client: Http2Client;
    beforeEach(async () => {
      fixture = await openBindingFixture(open);
      client = http2Client(fixture.baseUrl);
    });
    afterEach(async () => {
      client.close();
      await fixture.close();
    });
    const seen = async (request: Http2Request) => fixture.seenBy((await client.call(request)).body);
    const ask = (reply: HttpReply, method = "GET") => {
      fixture.recording.reply = reply;
      return client.call({ method, path: "/pay/echo" });
    };

    it.each([1, 255, LIMIT])("passes a body of %i bytes without a content-length", async (size) => {
      const bytes = randomBytes(size);
      for (const body of [[bytes], [bytes.subarray(0, 1), bytes.subarray(1)]]) {
        const got = await seen({ method: "POST", path: "/pay/echo", body });
        expect(got).toMatchObject({ surface: "payments", body: bytes.toString("base64") });
      }
    });

    it("passes a body with a content-length", async () => {
      const headers = { "content-length": "3" };
      const body = [Buffer.from("abc")];
      expect(await seen({ method: "POST", path: "/wallets/echo", headers, body })).toMatchObject({
        surface: "notifications",
        body: Buffer.from("abc").toString("base64"),
      });
    });

    it.each([
      ["no data frame", undefined],
      ["an empty data frame", []],
    ])("passes no bytes for a request with %s", async (_frames, body) => {
      const request = { method: "POST", path: "/pay/echo", ...(body && { body }) };
      expect(await seen(request)).toMatchObject({ body: "" });
      expect(await seen({ ...request, method: "GET" })).toMatchObject({ body: "" });
    });

    it("refuses a body beyond the limit to the byte, and keeps the connection", async () => {
      const post = (size: number) =>
        seen({ method: "POST", path: "/pay/echo", body: [randomBytes(size - 1), randomBytes(1)] });
      expect((await post(LIMIT + 1)).body).toBe("too-large");
      expect((await post(FIVE_MEGABYTES)).body).toBe("too-large");
      expect((await post(LIMIT)).body).not.toBe("too-large");
    });

    it("passes :authority as the header host", async () => {
      const got = await seen({ path: "/pay/echo", headers: { ":authority": "shop.example:8443" } });
      expect(got.headers.get("host")).toBe("shop.example:8443");
    });

    it("passes headers, path and query as the client sent them", async () => {
      const got = await seen({
        path: "/pay/echo/a%2Fb%20c?a=1&b=%E4%BD%A0",
        headers: { app_id: "app-1", "x-twice": ["1", "2"] },
      });
      expect(got).toMatchObject({ method: "GET", path: "/echo/a%2Fb%20c", query: "a=1&b=%E4%BD%A0" });
      expect(got.headers.get("app_id")).toBe("app-1");
      expect(got.headers.get("x-twice")).toBe("1, 2");
    });

    it("answers requests that share a connection", async () => {
      const bodies = Array.from({ length: 20 }, () => randomBytes(64));
      const got = await Promise.all(
        bodies.map((bytes) => seen({ method: "POST", path: "/pay/echo", body: [bytes] })),
      );
      expect(got.map(({ body }) => body)).toEqual(bodies.map((bytes) => bytes.toString("base64")));
    });

    it("sends status, headers and a long body, and no body for HEAD", async () => {
      const headers = { "content-type": "text/plain", "x-trace-id": "t-1" };
      const body = "支付✓".repeat(50_000);
      const reply = await ask({ status: 409, headers, body });
      expect(reply).toMatchObject({ status: 409, headers });
      expect(reply.body.toString()).toBe(body);
      const head = await ask({ status: 200, headers, body }, "HEAD");
      expect(head.headers["content-length"]).toBe(String(Buffer.byteLength(body)));
      expect(head.body).toHaveLength(0);
    });

    it("sends each event of a stream as soon as the stream yields it", async () => {
      const events = testStream();
      fixture.recording.reply = { status: 200, headers: EVENTS, body: events.body };
      const reply = client.open({ path: "/pay/echo" }).setEncoding("utf8");
      for (const text of ["data: 1\n\n", "data: 2\n\n"]) {
        events.send(text);
        expect((await once(reply, "data"))[0]).toBe(text);
      }
      events.end();
      await once(reply, "end");
    });

    it("ends a stream when its client cancels it", async () => {
      const events = testStream();
      fixture.recording.reply = { status: 200, headers: EVENTS, body: events.body };
      const reply = client.open({ path: "/pay/echo" });
      reply.on("error", () => undefined);
      events.send("data: 1\n\n");
      await once(reply, "data");
      const left = fixture.recording.seen.at(-1)?.client;
      const aborted = new Promise<void>((resolve) => left?.addEventListener("abort", resolve));
      reply.close(8);
      await events.returned;
      await aborted;
      expect(left?.aborted).toBe(true);
    });

    it("resets the stream of a reply that throws, and keeps the connection", async () => {
      const rows = testStream();
      rows.send("first\n");
      fixture.recording.reply = { status: 200, headers: { "content-type": "text/csv" }, body: rows.body };
      const cutOff = client.call({ path: "/pay/echo" });
      rows.fail(new Error("the storage broke"));
      await expect(cutOff).rejects.toThrow();
      delete fixture.recording.reply;
      expect(await seen({ path: "/pay/echo" })).toMatchObject({ path: "/echo" });
    });
  });
}
