import { type IncomingMessage, request as send } from "node:http";
import { connect } from "node:net";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { versions } from "./testing/hosts.js";
import { openWorld, textOf, type World } from "./testing/world.js";

for (const version of versions) {
  describe(`surfaceRouter on ${version.version}`, () => {
    let world: World;
    beforeEach(async () => {
      world = await openWorld(version);
    });
    afterEach(() => world.close());

    it("leaves the body of an unowned request to a later parser", async () => {
      world.mount();
      world.app.use(version.express.json());
      world.app.post("/api/other", (request, response) => void response.json(request.body));
      const headers = { "content-type": "application/json" };
      const reply = await fetch(`${world.baseUrl}/api/other`, { method: "POST", headers, body: `{"a":1}` });
      expect(await reply.json()).toEqual({ a: 1 });
    });

    it("reads a body that the host paused while it was looking something up", async () => {
      world.app.use((request, _response, next) => {
        request.pause();
        setImmediate(next);
      });
      world.mount();
      await world.post("later");
      expect(textOf(world.given[0])).toBe("later");
    });

    it("passes what the surface throws on to the host's error handler", async () => {
      const thrown = new Error("broken");
      world.mount();
      world.handle = () => Promise.reject(thrown);
      expect(await (await world.post("{}")).text()).toBe("the host's error page");
      world.handle = () => {
        throw thrown;
      };
      await world.post("{}");
      expect(world.errors).toEqual([thrown, thrown]);
    });

    it.each([undefined, "route", "router"])(
      "takes the rejection %s for an error, not for `go on`",
      async (cause) => {
        world.mount();
        const rejectWith: (cause: unknown) => Promise<never> = Promise.reject.bind(Promise);
        world.handle = () => rejectWith(cause);
        expect((await world.post("{}")).status).toBe(500);
        expect(world.errors).toMatchObject([{ cause }]);
      },
    );

    it("passes a reply that cannot be sent on to the host's error handler", async () => {
      world.mount();
      world.handle = async () => ({ status: 200, headers: { "x-bad": "line\nbreak" }, body: "" });
      expect((await world.post("{}")).status).toBe(500);
      expect(world.errors).toMatchObject([{ code: "ERR_INVALID_CHAR" }]);
    });

    it("keeps headers the host set on purpose", async () => {
      world.app.use((_request, response, next) => {
        response.setHeader("access-control-allow-origin", "*");
        next();
      });
      world.mount();
      const { headers } = await world.post("{}");
      expect(headers.get("access-control-allow-origin")).toBe("*");
      expect(headers.get("x-powered-by")).toBeNull();
    });

    it("stays quiet when the host has answered in its place", async () => {
      world.app.use((_request, response, next) => {
        response.status(503).end("timed out");
        next();
      });
      world.mount();
      expect((await fetch(`${world.baseUrl}/api/owned`)).status).toBe(503);
      await expect.poll(() => world.given).toHaveLength(1);
      expect(world.errors).toEqual([]);
    });

    it.each([
      ["/owned/x?y=1", { path: "/owned/x", query: "y=1" }],
      ["", { path: "/", query: "" }],
      ["?y=1", { path: "/", query: "y=1" }],
    ])("takes an absolute request target with %j below the mount point", async (target, expected) => {
      world.mount();
      const { port, baseUrl } = world;
      const sending = send({ port, host: "127.0.0.1", path: `${baseUrl}/api${target}` }).end();
      const response = await new Promise<IncomingMessage>((resolve) => sending.once("response", resolve));
      response.resume();
      expect(world.given).toMatchObject([expected]);
    });

    it("names the address that Express vouches for, or the one that the host names", async () => {
      const headers = { "x-forwarded-for": "192.0.2.7" };
      world.mount();
      await world.post("{}", headers);
      world.app.set("trust proxy", true);
      await world.post("{}", headers);
      expect(world.given[0]?.peer).toMatch(/127\.0\.0\.1$/);
      expect(world.given[1]?.peer).toBe("192.0.2.7");
    });

    it("keeps a doubled slash after the mount point", async () => {
      world.mount();
      expect((await fetch(`${world.baseUrl}/api//owned`)).status).toBe(404);
      expect(world.given).toEqual([]);
    });

    it("compares every mount point letter by letter, unless it is a pattern", async () => {
      const { express, surfaceRouter } = version;
      const reply = { status: 200, headers: {}, body: "" };
      const router = surfaceRouter({ maxRequestBytes: 0, owns: () => true, handle: async () => reply });
      world.app.use(["/One", "/Two/"], router);
      world.app.use("/Outer", express().use("/Three", router));
      world.app.use(/^\/four/i, router);
      const statusOf = async (path: string) => (await fetch(`${world.baseUrl}${path}`)).status;
      for (const path of ["/One", "/Two/x", "/Outer/Three/x", "/OUTER/Three", "/FOUR"]) {
        expect(await statusOf(path), path).toBe(200);
      }
      for (const path of ["/one", "/ONE/x", "/two/", "/Outer/three"]) {
        expect(await statusOf(path), path).toBe(404);
      }
    });

    it("tells the surface when the client has gone before it was answered, and only then", async () => {
      world.mount();
      await world.post("answered");
      world.handle = () => new Promise(() => undefined);
      const socket = connect(world.port, "127.0.0.1");
      socket.write("GET /api/owned HTTP/1.1\r\nHost: x\r\n\r\n");
      await expect.poll(() => world.given).toHaveLength(2);
      expect(world.given.map(({ client }) => client?.aborted)).toEqual([false, false]);
      socket.destroy();
      await expect.poll(() => world.given[1]?.client?.aborted).toBe(true);
      expect(world.given[0]?.client?.aborted).toBe(false);
    });
  });
}
