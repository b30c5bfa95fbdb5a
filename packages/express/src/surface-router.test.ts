import { type IncomingMessage, type OutgoingHttpHeaders, request as send } from "node:http";
import { connect } from "node:net";
import { gzipSync } from "node:zlib";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { versions } from "./testing/hosts.js";
import { openFixture, textOf, type TestFixture } from "./testing/fixture.js";

for (const version of versions) {
  describe(`surfaceRouter on ${version.version}`, () => {
    let fixture: TestFixture;
    beforeEach(async () => {
      fixture = await openFixture(version);
    });
    afterEach(() => fixture.close());

    it("leaves the body of an unowned request to a later parser", async () => {
      fixture.mount();
      fixture.app.use(version.express.json());
      fixture.app.post("/api/other", (request, response) => void response.json(request.body));
      const headers = { "content-type": "application/json" };
      const reply = await fetch(`${fixture.baseUrl}/api/other`, { method: "POST", headers, body: `{"a":1}` });
      expect(await reply.json()).toEqual({ a: 1 });
    });

    it("reads a body that the host paused before it called the router", async () => {
      fixture.app.use((request, _response, next) => {
        request.pause();
        setImmediate(next);
      });
      fixture.mount();
      await fixture.post("later");
      expect(textOf(fixture.given[0])).toBe("later");
    });

    it("marks a compressed reply, so that middleware of the host does not compress it again", async () => {
      const text = "a report ".repeat(1_000);
      const headers = { "content-type": "text/plain", "content-encoding": "gzip", vary: "accept-encoding" };
      // Compressing middleware decides at the time when the head of the response is written.
      const seen: unknown[] = [];
      fixture.app.use((_request, response, next) => {
        const writeHead = response.writeHead.bind(response);
        response.writeHead = (status: number, ...rest: readonly unknown[]) => {
          seen.push(...rest);
          return writeHead(
            status,
            rest.find((one): one is OutgoingHttpHeaders => typeof one === "object"),
          );
        };
        next();
      });
      fixture.mount();
      fixture.handle = async () => ({ status: 200, headers, body: gzipSync(text) });
      const reply = await fixture.post("{}");
      expect(seen).toMatchObject([headers]);
      expect(reply.headers.get("content-encoding")).toBe("gzip");
      expect(await reply.text()).toBe(text);
    });

    it("adds its Vary values to the Vary header of the host, such as for CORS", async () => {
      fixture.app.use((_request, response, next) => {
        response.set({ vary: "Origin", "access-control-allow-origin": "https://page.example" });
        next();
      });
      fixture.mount();
      fixture.handle = async () => ({ status: 200, headers: { vary: "accept-encoding" }, body: "{}" });
      const { headers } = await fixture.post("{}");
      expect(headers.get("vary")).toBe("Origin, accept-encoding");
      expect(headers.get("access-control-allow-origin")).toBe("https://page.example");
      fixture.handle = async () => ({ status: 200, headers: {}, body: "{}" });
      expect((await fixture.post("{}")).headers.get("vary")).toBe("Origin");
    });

    it("passes an error of the surface to the host's error handler", async () => {
      const thrown = new Error("broken");
      fixture.mount();
      fixture.handle = () => Promise.reject(thrown);
      expect(await (await fixture.post("{}")).text()).toBe("the host's error page");
      fixture.handle = () => {
        throw thrown;
      };
      await fixture.post("{}");
      expect(fixture.errors).toEqual([thrown, thrown]);
    });

    it.each([undefined, "route", "router"])(
      "treats the rejection %s as an error, not as `continue`",
      async (cause) => {
        fixture.mount();
        const rejectWith: (cause: unknown) => Promise<never> = Promise.reject.bind(Promise);
        fixture.handle = () => rejectWith(cause);
        expect((await fixture.post("{}")).status).toBe(500);
        expect(fixture.errors).toMatchObject([{ cause }]);
      },
    );

    it("passes a reply that cannot be sent to the host's error handler", async () => {
      fixture.mount();
      fixture.handle = async () => ({ status: 200, headers: { "x-bad": "line\nbreak" }, body: "" });
      expect((await fixture.post("{}")).status).toBe(500);
      expect(fixture.errors).toMatchObject([{ code: "ERR_INVALID_CHAR" }]);
    });

    it("keeps headers that the host has set", async () => {
      fixture.app.use((_request, response, next) => {
        response.setHeader("access-control-allow-origin", "*");
        next();
      });
      fixture.mount();
      const { headers } = await fixture.post("{}");
      expect(headers.get("access-control-allow-origin")).toBe("*");
      expect(headers.get("x-powered-by")).toBeNull();
    });

    it("sends nothing if the host has already answered", async () => {
      fixture.app.use((_request, response, next) => {
        response.status(503).end("timed out");
        next();
      });
      fixture.mount();
      expect((await fetch(`${fixture.baseUrl}/api/owned`)).status).toBe(503);
      await expect.poll(() => fixture.given).toHaveLength(1);
      expect(fixture.errors).toEqual([]);
    });

    it.each([
      ["/owned/x?y=1", { path: "/owned/x", query: "y=1" }],
      ["", { path: "/", query: "" }],
      ["?y=1", { path: "/", query: "y=1" }],
    ])("accepts an absolute request target with %j below the mount point", async (target, expected) => {
      fixture.mount();
      const { port, baseUrl } = fixture;
      const sending = send({ port, host: "127.0.0.1", path: `${baseUrl}/api${target}` }).end();
      const response = await new Promise<IncomingMessage>((resolve) => sending.once("response", resolve));
      response.resume();
      expect(fixture.given).toMatchObject([expected]);
    });

    it("passes the address of `request.ip`, or the address that `peerOf` returns", async () => {
      const headers = { "x-forwarded-for": "192.0.2.7" };
      fixture.mount();
      await fixture.post("{}", headers);
      fixture.app.set("trust proxy", true);
      await fixture.post("{}", headers);
      expect(fixture.given[0]?.peer).toMatch(/127\.0\.0\.1$/);
      expect(fixture.given[1]?.peer).toBe("192.0.2.7");
    });

    it("keeps a doubled slash after the mount point", async () => {
      fixture.mount();
      expect((await fetch(`${fixture.baseUrl}/api//owned`)).status).toBe(404);
      expect(fixture.given).toEqual([]);
    });

    it("compares every mount point case-sensitively, unless it is a pattern", async () => {
      const { express, surfaceRouter } = version;
      const reply = { status: 200, headers: {}, body: "" };
      const router = surfaceRouter({ maxRequestBytes: 0, owns: () => true, handle: async () => reply });
      fixture.app.use(["/One", "/Two/"], router);
      fixture.app.use("/Outer", express().use("/Three", router));
      fixture.app.use(/^\/four/i, router);
      const statusOf = async (path: string) => (await fetch(`${fixture.baseUrl}${path}`)).status;
      for (const path of ["/One", "/Two/x", "/Outer/Three/x", "/OUTER/Three", "/FOUR"]) {
        expect(await statusOf(path), path).toBe(200);
      }
      for (const path of ["/one", "/ONE/x", "/two/", "/Outer/three"]) {
        expect(await statusOf(path), path).toBe(404);
      }
    });

    it("aborts the surface's signal only if the client disconnects before the answer", async () => {
      fixture.mount();
      await fixture.post("answered");
      fixture.handle = () => new Promise(() => undefined);
      const socket = connect(fixture.port, "127.0.0.1");
      socket.write("GET /api/owned HTTP/1.1\r\nHost: x\r\n\r\n");
      await expect.poll(() => fixture.given).toHaveLength(2);
      expect(fixture.given.map(({ client }) => client?.aborted)).toEqual([false, false]);
      socket.destroy();
      await expect.poll(() => fixture.given[1]?.client?.aborted).toBe(true);
      expect(fixture.given[0]?.client?.aborted).toBe(false);
    });
  });
}
