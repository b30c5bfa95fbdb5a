import { once } from "node:events";
import { gunzipSync, gzipSync } from "node:zlib";
import type { HttpReply } from "@tillkit/core/http";
import { describe, expect, it } from "vitest";
import type { BindingFixture } from "../../support/http/binding-fixture.js";
import { openReply } from "../../support/http/open-reply.js";
import { testStream } from "../../support/http/test-stream.js";

const CSV = { "content-type": "text/csv; charset=utf-8" } as const;
const EVENTS = { "content-type": "text/event-stream", "cache-control": "no-store" } as const;

/** One text of a long export, and the number of texts: 128 MB, more than any socket buffers. */
const BLOCK = "0123456789abcde\n".repeat(4_096);
const BLOCKS = 2_048;

/** Tests that bytes arrive unchanged, and that streams follow the pace of their clients. */
export function testStreams(fixture: () => BindingFixture): void {
  const ask = (reply: HttpReply, method = "GET") => {
    fixture().recording.reply = reply;
    return fixture().call({ method, path: "/pay/echo" });
  };
  const open = (reply: HttpReply) => {
    fixture().recording.reply = reply;
    return openReply(`${fixture().baseUrl}/pay/echo`);
  };
  const lastClient = () => fixture().recording.seen.at(-1)?.client;

  describe("bytes", () => {
    const text = "compressed ".repeat(100);
    const headers = { "content-type": "text/plain", "content-encoding": "gzip" };

    it("sends compressed bytes unchanged", async () => {
      // The bytes are a view into a larger buffer, as a file cache may return them.
      const compressed = gzipSync(text);
      const body = Buffer.concat([Buffer.from("before"), compressed, Buffer.from("after")]).subarray(
        6,
        6 + compressed.length,
      );
      const reply = await ask({ status: 200, headers, body });
      expect(reply.headers).toMatchObject(headers);
      expect(reply.body).toEqual(compressed);
      expect(gunzipSync(reply.body).toString()).toBe(text);
    });

    it("declares the length of bytes, also for HEAD", async () => {
      const body = new Uint8Array(gzipSync(text));
      const length = String(body.length);
      expect((await ask({ status: 200, headers, body })).headers["content-length"]).toBe(length);
      const head = await ask({ status: 200, headers, body }, "HEAD");
      expect(head.headers["content-length"]).toBe(length);
      expect(head.body).toHaveLength(0);
    });
  });

  describe("the client's signal", () => {
    it("does not abort when a text, bytes or a stream have been sent completely", async () => {
      const stream = testStream();
      stream.send("all");
      stream.end();
      for (const body of ["all", new TextEncoder().encode("all"), stream.body]) {
        let aborts = 0;
        const reply = { status: 200, headers: CSV, body };
        fixture().recording.reply = reply;
        fixture().recording.onRequest = ({ client }) =>
          client?.addEventListener("abort", () => {
            aborts += 1;
          });
        expect((await ask(reply)).body.toString()).toBe("all");
        const client = lastClient();
        delete fixture().recording.onRequest;
        // When the next reply arrives, this reply has ended.
        await ask({ status: 200, headers: CSV, body: "" });
        expect({ aborted: client?.aborted, aborts }).toEqual({ aborted: false, aborts: 0 });
      }
    });
  });

  describe("streams", () => {
    it("sends the texts of a stream in their order, without a length", async () => {
      const stream = testStream();
      for (const part of ["a,b\n", "", "支付,✓\n", "x".repeat(200_000)]) stream.send(part);
      stream.end();
      const reply = await ask({ status: 201, headers: CSV, body: stream.body });
      expect(reply.status).toBe(201);
      expect(reply.headers).toMatchObject(CSV);
      expect(reply.headers["content-length"]).toBeUndefined();
      expect(reply.body.toString()).toBe(`a,b\n支付,✓\n${"x".repeat(200_000)}`);
    });

    it("sends an empty stream", async () => {
      const stream = testStream();
      stream.end();
      expect((await ask({ status: 200, headers: CSV, body: stream.body })).body).toHaveLength(0);
    });

    it("sends each event as soon as the stream yields it", async () => {
      const stream = testStream();
      stream.send("data: 1\n\n");
      const reply = await open({ status: 200, headers: EVENTS, body: stream.body });
      expect(await reply.read()).toBe("data: 1\n\n");
      stream.send("data: 2\n\n");
      expect(await reply.read()).toBe("data: 2\n\n");
      stream.end();
      expect(await reply.response.toArray()).toEqual([]);
      expect(reply.response.complete).toBe(true);
    });

    it("does not read a stream far ahead of its client", async () => {
      let pulled = 0;
      async function* blocks() {
        for (; pulled < BLOCKS; pulled += 1) yield BLOCK;
      }
      const reply = await open({ status: 200, headers: CSV, body: blocks() });
      delete fixture().recording.reply;
      // Without back-pressure, the stream would have ended long before these replies.
      for (let turn = 0; turn < 100; turn += 1) await fixture().seen({ path: "/pay/echo" });
      expect(pulled).toBeLessThan(BLOCKS / 2);
      let received = 0;
      reply.response.on("data", (text: string) => (received += text.length));
      await once(reply.response, "end");
      expect(received).toBe(BLOCKS * BLOCK.length);
    });

    it("ends a stream that waits when its client disconnects", async () => {
      const stream = testStream();
      stream.send("data: 1\n\n");
      const reply = await open({ status: 200, headers: EVENTS, body: stream.body });
      await reply.read();
      const aborted = new Promise<void>((resolve) => lastClient()?.addEventListener("abort", resolve));
      expect(lastClient()?.aborted).toBe(false);
      reply.disconnect();
      await stream.returned;
      await aborted;
      expect(lastClient()?.aborted).toBe(true);
    });

    it("ends a stream when its client disconnects without reading it", async () => {
      let noteEnd = (_sent: number): void => undefined;
      const ended = new Promise<number>((resolve) => (noteEnd = resolve));
      async function* blocks() {
        let sent = 0;
        try {
          for (; sent < BLOCKS; sent += 1) yield BLOCK;
        } finally {
          noteEnd(sent);
        }
      }
      const reply = await open({ status: 200, headers: CSV, body: blocks() });
      reply.disconnect();
      expect(await ended).toBeLessThan(BLOCKS);
    });

    it("closes the connection if a stream throws, and keeps serving", async () => {
      const stream = testStream();
      stream.send("first\n");
      const reply = await open({ status: 200, headers: CSV, body: stream.body });
      expect(await reply.read()).toBe("first\n");
      stream.fail(new Error("the storage broke"));
      await expect(reply.response.toArray()).rejects.toThrow();
      expect(reply.response.complete).toBe(false);
      delete fixture().recording.reply;
      expect(await fixture().seen({ path: "/pay/echo" })).toMatchObject({ path: "/echo" });
    });

    it.each([
      ["HEAD", 200],
      ["GET", 204],
      ["GET", 304],
    ])("sends no text of a stream in reply to %s with status %i, and ends it", async (method, status) => {
      const stream = testStream();
      stream.send("unwanted");
      const reply = await ask({ status, headers: { "x-trace-id": "t-4" }, body: stream.body }, method);
      expect(reply.status).toBe(status);
      expect(reply.headers["x-trace-id"]).toBe("t-4");
      expect(reply.headers["content-length"]).toBeUndefined();
      expect(reply.body).toHaveLength(0);
      await stream.returned;
      expect(stream.pulls()).toBe(0);
    });
  });
}
