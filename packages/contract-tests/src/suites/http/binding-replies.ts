import type { HttpReply } from "@tillkit/core/http";
import { describe, expect, it } from "vitest";
import type { BindingFixture } from "../../support/http/binding-fixture.js";

/** Tests that a reply reaches the client of its request, unchanged. */
export function testReplies(fixture: () => BindingFixture): void {
  describe("replies", () => {
    const ask = (reply: HttpReply, method = "GET") => {
      fixture().recording.reply = reply;
      return fixture().call({ method, path: "/pay/echo" });
    };

    it.each([200, 201, 400, 404, 429, 500, 502])(
      "sends status %i, the headers and the body unchanged",
      async (status) => {
        const headers = { "content-type": "application/json", "retry-after": "60", "x-trace-id": "t-1" };
        const reply = await ask({ status, headers, body: `{"code":0}` });
        expect(reply.status).toBe(status);
        expect(reply.headers).toMatchObject({ ...headers, "content-length": "10" });
        expect(reply.body.toString()).toBe(`{"code":0}`);
      },
    );

    it("sends each cookie as a header of its own", async () => {
      const cookies = ["a=1; Path=/", "b=2; Path=/; HttpOnly"];
      const stream = async function* () {
        yield "{}";
      };
      for (const body of ["{}", stream()]) {
        const reply = await ask({ status: 200, headers: {}, cookies, body });
        expect(reply.headers["set-cookie"]).toEqual(cookies);
      }
    });

    it("sends UTF-8 and counts the length in bytes", async () => {
      const body = "支付成功 ✓ 🧾 é";
      const reply = await ask({
        status: 200,
        headers: { "content-type": "text/plain; charset=utf-8" },
        body,
      });
      expect(reply.body.toString("utf8")).toBe(body);
      expect(reply.headers["content-length"]).toBe(String(Buffer.byteLength(body)));
    });

    it("sends an empty body", async () => {
      const reply = await ask({ status: 200, headers: {}, body: "" });
      expect(reply.body).toHaveLength(0);
      expect(reply.headers["content-length"]).toBe("0");
    });

    it("sends 204 without a length, as HTTP requires", async () => {
      const reply = await ask({ status: 204, headers: { "x-trace-id": "t-2" }, body: "" });
      expect(reply.status).toBe(204);
      expect(reply.headers["x-trace-id"]).toBe("t-2");
      expect(reply.headers["content-length"]).toBeUndefined();
    });

    it("sends the headers of a HEAD reply without the body", async () => {
      const reply = await ask({ status: 200, headers: { "x-trace-id": "t-3" }, body: "four" }, "HEAD");
      expect(reply.headers).toMatchObject({ "x-trace-id": "t-3", "content-length": "4" });
      expect(reply.body).toHaveLength(0);
    });

    it("adds no header of a framework", async () => {
      const reply = await ask({ status: 200, headers: {}, body: "{}" });
      const connectionOnly = ["connection", "content-length", "date", "keep-alive"];
      expect(Object.keys(reply.headers).filter((name) => !connectionOnly.includes(name))).toEqual([]);
    });

    it("does not mix up 50 concurrent requests", async () => {
      const numbers = Array.from({ length: 50 }, (_, index) => index);
      const got = await Promise.all(
        numbers.map((n) =>
          fixture().seen({
            method: "POST",
            path: `/pay/echo/${n}?n=${n}`,
            headers: { "x-n": String(n) },
            body: n % 2 === 0 ? Buffer.from(`body ${n}`) : [Buffer.from("body "), Buffer.from(String(n))],
          }),
        ),
      );
      for (const n of numbers) {
        expect(got[n]).toMatchObject({ path: `/echo/${n}`, query: `n=${n}` });
        expect(got[n]?.headers.get("x-n")).toBe(String(n));
        expect(got[n]?.body).toBe(Buffer.from(`body ${n}`).toString("base64"));
      }
    });
  });
}
