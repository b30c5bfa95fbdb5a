import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { versions } from "./testing/hosts.js";
import { openWorld, textOf, type World } from "./testing/world.js";

for (const version of versions) {
  describe(`surfaceRouter behind a body parser on ${version.version}`, () => {
    let world: World;
    beforeEach(async () => {
      world = await openWorld(version);
    });
    afterEach(() => world.close());

    const json = `{ "amount" : 1.0 }`;

    it("says what is wrong and how to put it right when the bytes are gone", async () => {
      world.app.use(version.express.json());
      world.mount();
      expect((await world.post(json)).status).toBe(500);
      expect(world.errors).toHaveLength(1);
      expect(world.errors[0]).toBeInstanceOf(Error);
      expect(String(world.errors[0])).toMatch(/raw request body.*before express\.json\(\).*rawBody = bytes/);
      expect(world.given).toEqual([]);
    });

    it("says so for a chunked body and for text and form parsers too", async () => {
      world.app.use(
        version.express.text(),
        version.express.urlencoded({ extended: false }),
        version.express.json(),
      );
      world.mount();
      const form = { "content-type": "application/x-www-form-urlencoded" };
      await world.post("a=1", form);
      await world.post("a=1", { "content-type": "text/plain" });
      const stream = new ReadableStream({
        start(controller) {
          controller.enqueue(Buffer.from(json));
          controller.close();
        },
      });
      const headers = { "content-type": "application/json" };
      await fetch(`${world.baseUrl}/api/owned`, { method: "POST", headers, body: stream, duplex: "half" });
      expect(world.errors.map(String)).toEqual(Array(3).fill(expect.stringContaining("raw request body")));
    });

    it("uses the bytes that the parser's verify option kept, as the message advises", async () => {
      world.app.use(
        version.express.json({
          verify: (request, _response, bytes) => void Object.assign(request, { rawBody: bytes }),
        }),
      );
      world.mount();
      expect((await world.post(json)).status).toBe(200);
      expect(textOf(world.given[0])).toBe(json);
      await world.post(JSON.stringify("x".repeat(98)).replace(/^/, "[").replace(/$/, "]"));
      expect(world.given[1]?.body).toBe("too-large");
    });

    it("uses the bytes that express.raw() left in the body", async () => {
      world.app.use(version.express.raw({ type: () => true }));
      world.mount();
      await world.post(json);
      expect(textOf(world.given[0])).toBe(json);
      await world.post("x".repeat(101));
      expect(world.given[1]?.body).toBe("too-large");
    });

    it("reads the body itself when the parser passed over it", async () => {
      world.app.use(version.express.json());
      world.mount();
      await world.post("<xml/>", { "content-type": "text/xml" });
      expect(textOf(world.given[0])).toBe("<xml/>");
    });

    it("answers a GET and an empty POST", async () => {
      world.app.use(
        version.express.json(),
        version.express.urlencoded({ extended: true }),
        version.express.text(),
      );
      world.mount();
      expect((await fetch(`${world.baseUrl}/api/owned`)).status).toBe(200);
      expect((await fetch(`${world.baseUrl}/api/owned`, { method: "POST" })).status).toBe(200);
      expect(world.given.map(textOf)).toEqual(["", ""]);
    });

    it("refuses a body of which a handler has read a part", async () => {
      world.app.use((request, _response, next) => {
        request.once("data", () => {
          request.pause();
          next();
        });
      });
      world.mount();
      expect((await world.post(json)).status).toBe(500);
      expect(String(world.errors[0])).toContain("raw request body");
    });

    it("refuses a body whose bytes a handler turned into text", async () => {
      world.app.use((request, _response, next) => {
        request.setEncoding("latin1");
        next();
      });
      world.mount();
      expect((await world.post(json)).status).toBe(500);
      expect(String(world.errors[0])).toContain("raw request body");
    });

    it("does not trouble requests it does not own", async () => {
      world.app.use(version.express.json());
      world.mount();
      world.app.post("/api/other", (request, response) => void response.json(request.body));
      const headers = { "content-type": "application/json" };
      const reply = await fetch(`${world.baseUrl}/api/other`, { method: "POST", headers, body: json });
      expect(await reply.json()).toEqual({ amount: 1 });
    });
  });
}
