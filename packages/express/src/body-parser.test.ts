import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { versions } from "./testing/hosts.js";
import { openFixture, textOf, type TestFixture } from "./testing/fixture.js";

for (const version of versions) {
  describe(`surfaceRouter behind a body parser on ${version.version}`, () => {
    let fixture: TestFixture;
    beforeEach(async () => {
      fixture = await openFixture(version);
    });
    afterEach(() => fixture.close());

    const json = `{ "amount" : 1.0 }`;

    it("reports an error with its remedy if a parser has dropped the bytes", async () => {
      fixture.app.use(version.express.json());
      fixture.mount();
      expect((await fixture.post(json)).status).toBe(500);
      expect(fixture.errors).toHaveLength(1);
      expect(fixture.errors[0]).toBeInstanceOf(Error);
      expect(String(fixture.errors[0])).toMatch(
        /raw request body.*before express\.json\(\).*rawBody = bytes/,
      );
      expect(fixture.given).toEqual([]);
    });

    it("reports this error for a chunked body, and for text and form parsers, too", async () => {
      fixture.app.use(
        version.express.text(),
        version.express.urlencoded({ extended: false }),
        version.express.json(),
      );
      fixture.mount();
      const form = { "content-type": "application/x-www-form-urlencoded" };
      await fixture.post("a=1", form);
      await fixture.post("a=1", { "content-type": "text/plain" });
      const stream = new ReadableStream({
        start(controller) {
          controller.enqueue(Buffer.from(json));
          controller.close();
        },
      });
      const headers = { "content-type": "application/json" };
      await fetch(`${fixture.baseUrl}/api/owned`, { method: "POST", headers, body: stream, duplex: "half" });
      expect(fixture.errors.map(String)).toEqual(Array(3).fill(expect.stringContaining("raw request body")));
    });

    it("uses the bytes that the parser's verify option kept, as the message advises", async () => {
      fixture.app.use(
        version.express.json({
          verify: (request, _response, bytes) => void Object.assign(request, { rawBody: bytes }),
        }),
      );
      fixture.mount();
      expect((await fixture.post(json)).status).toBe(200);
      expect(textOf(fixture.given[0])).toBe(json);
      await fixture.post(JSON.stringify("x".repeat(98)).replace(/^/, "[").replace(/$/, "]"));
      expect(fixture.given[1]?.body).toBe("too-large");
    });

    it("uses the bytes that express.raw() left in the body", async () => {
      fixture.app.use(version.express.raw({ type: () => true }));
      fixture.mount();
      await fixture.post(json);
      expect(textOf(fixture.given[0])).toBe(json);
      await fixture.post("x".repeat(101));
      expect(fixture.given[1]?.body).toBe("too-large");
    });

    it("reads the body itself if the parser skipped it", async () => {
      fixture.app.use(version.express.json());
      fixture.mount();
      await fixture.post("<xml/>", { "content-type": "text/xml" });
      expect(textOf(fixture.given[0])).toBe("<xml/>");
    });

    it("answers a GET and an empty POST", async () => {
      fixture.app.use(
        version.express.json(),
        version.express.urlencoded({ extended: true }),
        version.express.text(),
      );
      fixture.mount();
      expect((await fetch(`${fixture.baseUrl}/api/owned`)).status).toBe(200);
      expect((await fetch(`${fixture.baseUrl}/api/owned`, { method: "POST" })).status).toBe(200);
      expect(fixture.given.map(textOf)).toEqual(["", ""]);
    });

    it("rejects a body that a handler has partially read", async () => {
      fixture.app.use((request, _response, next) => {
        request.once("data", () => {
          request.pause();
          next();
        });
      });
      fixture.mount();
      expect((await fixture.post(json)).status).toBe(500);
      expect(String(fixture.errors[0])).toContain("raw request body");
    });

    it("rejects a body whose bytes a handler has converted to text", async () => {
      fixture.app.use((request, _response, next) => {
        request.setEncoding("latin1");
        next();
      });
      fixture.mount();
      expect((await fixture.post(json)).status).toBe(500);
      expect(String(fixture.errors[0])).toContain("raw request body");
    });

    it("ignores requests that the surface does not own", async () => {
      fixture.app.use(version.express.json());
      fixture.mount();
      fixture.app.post("/api/other", (request, response) => void response.json(request.body));
      const headers = { "content-type": "application/json" };
      const reply = await fetch(`${fixture.baseUrl}/api/other`, { method: "POST", headers, body: json });
      expect(await reply.json()).toEqual({ amount: 1 });
    });
  });
}
