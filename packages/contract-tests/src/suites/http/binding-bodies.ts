import { randomBytes } from "node:crypto";
import { Agent } from "node:http";
import { describe, expect, it } from "vitest";
import { LIMIT, type BindingFixture } from "../../support/http/binding-fixture.js";
import { abandon, sendAllThenRead } from "../../support/http/send-verbatim.js";

const FIVE_MEGABYTES = 5 * 1024 * 1024;

/** Tests that bodies up to the limit arrive unchanged, and that larger bodies still get a reply. */
export function testBodies(fixture: () => BindingFixture): void {
  describe("bodies", () => {
    it.each([
      "application/octet-stream",
      "application/json",
      "application/x-www-form-urlencoded",
      "text/plain; charset=gbk",
      "multipart/form-data; boundary=x",
    ])("passes raw bytes intact under the content type %s", async (contentType) => {
      for (const size of [1, 255, LIMIT]) {
        for (const sent of [randomBytes(size), [randomBytes(size - 1), randomBytes(1)]]) {
          const got = await fixture().seen({
            method: "POST",
            path: "/pay/echo",
            headers: { "content-type": contentType },
            body: sent,
          });
          expect(got.body).toBe(Buffer.concat([sent].flat()).toString("base64"));
        }
      }
    });

    it("passes a compressed body unchanged", async () => {
      const body = randomBytes(64);
      const headers = { "content-type": "application/json", "content-encoding": "gzip" };
      expect(await fixture().seen({ method: "POST", path: "/pay/echo", headers, body })).toMatchObject({
        body: body.toString("base64"),
      });
    });

    it("passes no bytes for an absent, an empty or an empty chunked body", async () => {
      expect(await fixture().seen({ path: "/pay/echo" })).toMatchObject({ body: "" });
      expect(
        await fixture().seen({ method: "POST", path: "/pay/echo", body: Buffer.alloc(0) }),
      ).toMatchObject({
        body: "",
      });
      expect(await fixture().seen({ method: "POST", path: "/pay/echo", body: [] })).toMatchObject({
        body: "",
      });
    });

    it("applies the limit of each surface to the byte, with and without a declared length", async () => {
      const limits = [
        ["/echo", 0],
        ["/pay/echo", LIMIT],
        ["/wallets/echo", 2 * LIMIT],
      ] as const;
      for (const [path, limit] of limits) {
        const within = randomBytes(limit);
        const beyond = randomBytes(limit + 1);
        const post = async (body: Buffer | Buffer[]) =>
          (await fixture().seen({ method: "POST", path, body })).body;
        expect(await post(within)).toBe(within.toString("base64"));
        expect(await post([within])).toBe(within.toString("base64"));
        expect(await post(beyond)).toBe("too-large");
        expect(await post([beyond.subarray(0, limit), beyond.subarray(limit)])).toBe("too-large");
      }
    });

    it.each(["keep-alive", "close"])(
      "delivers the reply to 5 MB, with a declared length or chunked, under connection: %s",
      async (connection) => {
        const chunks = Array.from({ length: 80 }, () => randomBytes(FIVE_MEGABYTES / 80));
        for (const body of [chunks, Buffer.concat(chunks)]) {
          const reply = await fixture().call({
            method: "POST",
            path: "/pay/echo",
            headers: { connection },
            body,
          });
          expect(reply.status).toBe(200);
          expect(fixture().seenBy(reply.body).body).toBe("too-large");
        }
        expect(fixture().recording.seen).toHaveLength(2);
      },
    );

    it("delivers the reply to a client that sends 5 MB with connection: close before it reads", async () => {
      const reply = await sendAllThenRead(`${fixture().baseUrl}/pay/echo`, randomBytes(FIVE_MEGABYTES));
      expect(reply).toMatch(/^HTTP\/1\.1 200 /);
      expect(fixture().seenBy(reply.slice(reply.indexOf("\r\n\r\n") + 4)).body).toBe("too-large");
    });

    it("delivers the reply to 5 MB sent by fetch", async () => {
      const response = await fetch(`${fixture().baseUrl}/pay/echo`, {
        method: "POST",
        body: randomBytes(FIVE_MEGABYTES),
      });
      expect(fixture().seenBy(await response.text()).body).toBe("too-large");
    });

    it("serves the next request on a connection that sent too large a body", async () => {
      const agent = new Agent({ keepAlive: true, maxSockets: 1 });
      try {
        const post = (body: Buffer | Buffer[]) =>
          fixture().call({ method: "POST", path: "/pay/echo", body, agent });
        for (const tooMuch of [randomBytes(FIVE_MEGABYTES), [randomBytes(FIVE_MEGABYTES)]]) {
          const refused = await post(tooMuch);
          expect(fixture().seenBy(refused.body).body).toBe("too-large");
          const next = await post(Buffer.from("next"));
          expect(next.localPort).toBe(refused.localPort);
          expect(fixture().seenBy(next.body).body).toBe(Buffer.from("next").toString("base64"));
        }
      } finally {
        agent.destroy();
      }
    });

    it("keeps serving if a client disconnects during its upload", async () => {
      await Promise.all(
        [1, LIMIT, FIVE_MEGABYTES].map((declared) => abandon(`${fixture().baseUrl}/pay/echo`, declared)),
      );
      expect(
        await fixture().seen({ method: "POST", path: "/pay/echo", body: Buffer.from("still here") }),
      ).toMatchObject({
        body: Buffer.from("still here").toString("base64"),
      });
    });
  });
}
