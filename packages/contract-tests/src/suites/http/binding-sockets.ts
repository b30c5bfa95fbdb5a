import { describe, expect, it } from "vitest";
import { type BindingFixture, LIMIT } from "../../support/http/binding-fixture.js";
import { firstReply, sendRaw } from "../../support/http/send-verbatim.js";

const PIPELINED = 100;

/**
 * Returns the request that a server could see inside another request's body.
 *
 * This happens if two servers determine the length of the body differently.
 */
function hiddenAt(base: string): string {
  return `GET ${base}/pay/echo/hidden HTTP/1.1\r\nhost: test\r\n\r\n`;
}

/** Heads and bodies of requests whose length is ambiguous. */
const AMBIGUOUS: Readonly<Record<string, readonly [head: readonly string[], rest: string]>> = {
  "a length, then chunks": [["content-length: 5", "transfer-encoding: chunked"], "0\r\n\r\n"],
  "chunks, then a length": [["transfer-encoding: chunked", "content-length: 5"], "0\r\n\r\n"],
  "two lengths": [["content-length: 0", "content-length: 40"], ""],
  "one length twice": [["content-length: 2", "content-length: 2"], "{}"],
  "a list of lengths": [["content-length: 0, 40"], ""],
  "a length with a sign": [["content-length: +0"], ""],
  "a negative length": [["content-length: -1"], ""],
  "a length in another base": [["content-length: 0x0"], ""],
  "a length without end": [[`content-length: ${"9".repeat(30)}`], ""],
  "an encoding after the chunks": [["transfer-encoding: chunked, identity"], "0\r\n\r\n"],
  "a second encoding": [["transfer-encoding: chunked", "transfer-encoding: identity"], "0\r\n\r\n"],
  "an unknown encoding": [["transfer-encoding: xchunked"], "0\r\n\r\n"],
  "a space before the colon": [["transfer-encoding : chunked"], "0\r\n\r\n"],
  "a header over two lines": [["transfer-encoding:", " chunked"], "0\r\n\r\n"],
  "a size that overflows": [["transfer-encoding: chunked"], `${"f".repeat(17)}\r\nx\r\n0\r\n\r\n`],
  "a negative size": [["transfer-encoding: chunked"], "-1\r\nx\r\n0\r\n\r\n"],
  "a chunk longer than its size": [["transfer-encoding: chunked"], "1\r\nxyz\r\n0\r\n\r\n"],
  "chunks that end in half a line break": [["transfer-encoding: chunked"], "1\nx\n0\n\n"],
  "a line break in a chunk's extension": [["transfer-encoding: chunked"], "1;a=\nx\r\nx\r\n0\r\n\r\n"],
};

/** Tests that the requests of a connection stay separate, and no body is read as a request. */
export function testSockets(fixture: () => BindingFixture): void {
  describe("sockets", () => {
    it(`answers ${PIPELINED} pipelined requests of one connection in order, each with its own reply`, async () => {
      const base = baseOf(fixture());
      const hidden = hiddenAt(base);
      const bodies = Array.from({ length: PIPELINED }, (_, nth) =>
        nth % 3 === 0 ? "" : hidden.repeat(nth % 4),
      );
      const requests = bodies.map((body, nth) => {
        const last = nth === PIPELINED - 1 ? "connection: close\r\n" : "";
        const head = `POST ${base}/pay/echo/${nth} HTTP/1.1\r\nhost: test\r\ncontent-length: ${body.length}\r\n`;
        return `${head}${last}\r\n${body}`;
      });
      const replies = (await sendRaw(fixture().baseUrl, requests.join("")))
        .split("HTTP/1.1 200 OK\r\n")
        .slice(1);
      expect(replies).toHaveLength(PIPELINED);
      for (const [nth, reply] of replies.entries()) {
        const seen = fixture().seenBy(reply.slice(reply.indexOf("\r\n\r\n") + 4));
        expect(seen.path).toBe(`/echo/${nth}`);
        expect(seen.body).toBe(Buffer.from(bodies[nth] ?? "").toString("base64"));
      }
      expect(fixture().recording.seen).toHaveLength(PIPELINED);
    });

    it("answers a request whose declared length is too large before its body arrives", async () => {
      const base = baseOf(fixture());
      const head = `POST ${base}/pay/echo HTTP/1.1\r\nhost: test\r\ncontent-length: ${LIMIT + 1}\r\n\r\n`;
      expect(await firstReply(fixture().baseUrl, head)).toMatch(/^HTTP\/1\.1 200 /);
      expect(fixture().recording.seen).toMatchObject([{ path: "/echo", body: "too-large" }]);
    });

    it("reads no request from the discarded part of a body, with or without a declared length", async () => {
      const base = baseOf(fixture());
      const hidden = hiddenAt(base);
      const declared = hidden + " ".repeat(LIMIT) + hidden;
      const chunks = [" ".repeat(LIMIT), hidden, hidden].map(
        (chunk) => `${chunk.length.toString(16)}\r\n${chunk}\r\n`,
      );
      const requests = [
        `POST ${base}/pay/echo/1 HTTP/1.1\r\nhost: test\r\ncontent-length: ${declared.length}\r\n\r\n${declared}`,
        `POST ${base}/pay/echo/2 HTTP/1.1\r\nhost: test\r\ntransfer-encoding: chunked\r\n\r\n${chunks.join("")}0\r\n\r\n`,
        `GET ${base}/pay/echo/3 HTTP/1.1\r\nhost: test\r\nconnection: close\r\n\r\n`,
      ];
      const replies = (await sendRaw(fixture().baseUrl, requests.join("")))
        .split("HTTP/1.1 200 OK\r\n")
        .slice(1);
      const seen = replies.map((reply) => fixture().seenBy(reply.slice(reply.indexOf("\r\n\r\n") + 4)));
      expect(seen).toMatchObject([
        { path: "/echo/1", body: "too-large" },
        { path: "/echo/2", body: "too-large" },
        { path: "/echo/3", body: "" },
      ]);
      expect(fixture().recording.seen).toHaveLength(3);
    });

    it.each(Object.entries(AMBIGUOUS))(
      "rejects a request with %s, and everything after it",
      async (_what, [head, rest]) => {
        const base = baseOf(fixture());
        const lines = [`POST ${base}/pay/echo HTTP/1.1`, "host: test", ...head].join("\r\n");
        const replies = await sendRaw(fixture().baseUrl, `${lines}\r\n\r\n${rest}${hiddenAt(base)}`);
        expect(replies).toMatch(/^HTTP\/1\.1 400 /);
        expect(replies.match(/HTTP\/1\.1 \d+/g)).toHaveLength(1);
        expect(fixture().recording.seen).toEqual([]);
      },
    );
  });
}

/** Returns the path of the host below which the surfaces are mounted. */
function baseOf({ baseUrl }: BindingFixture): string {
  return baseUrl.slice(new URL(baseUrl).origin.length);
}
