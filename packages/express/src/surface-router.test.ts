import { once } from "node:events";
import { type IncomingMessage, request as send } from "node:http";
import { connect } from "node:net";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { gzipSync } from "node:zlib";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { versions } from "./testing/hosts.js";
import { openWorld, textOf, type World } from "./testing/world.js";

/** The bytes in buffers that are still referred to. */
function heldBytes(): number {
  setFlagsFromString("--expose-gc");
  runInNewContext("gc()");
  return process.memoryUsage().arrayBuffers;
}

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

    it("hands compressed bytes over as they are", async () => {
      world.mount();
      const zipped = Uint8Array.from(gzipSync("{}"));
      await world.post(zipped, { "content-encoding": "gzip" });
      expect(world.given[0]?.body).toEqual(Buffer.from(zipped));
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
      await vi.waitFor(() => expect(world.given).toHaveLength(1));
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

    it("tells the surface when the client has gone before it was answered, and only then", async () => {
      world.mount();
      await world.post("answered");
      world.handle = () => new Promise(() => undefined);
      const socket = connect(world.port, "127.0.0.1");
      socket.write("GET /api/owned HTTP/1.1\r\nHost: x\r\n\r\n");
      await vi.waitFor(() => expect(world.given).toHaveLength(2));
      expect(world.given.map(({ client }) => client?.aborted)).toEqual([false, false]);
      socket.destroy();
      await vi.waitFor(() => expect(world.given[1]?.client?.aborted).toBe(true));
      expect(world.given[0]?.client?.aborted).toBe(false);
    });

    it("neither handles an aborted upload nor reports it", async () => {
      world.mount();
      const closed = new Promise((resolve) => {
        world.server.once("request", (request) => request.once("close", () => setImmediate(resolve)));
      });
      const socket = connect(world.port, "127.0.0.1");
      socket.write("POST /api/owned HTTP/1.1\r\nHost: x\r\nContent-Length: 50\r\n\r\nhalf", () =>
        socket.resetAndDestroy(),
      );
      await closed;
      expect(world.given).toEqual([]);
      expect(world.errors).toEqual([]);
    });

    it("does not handle an upload that was aborted before its turn came", async () => {
      const turn = new Promise<void>((resolve) => {
        world.app.use((request, _response, next) => {
          request.once("close", () => {
            next();
            setImmediate(resolve);
          });
        });
      });
      world.mount();
      const socket = connect(world.port, "127.0.0.1");
      socket.write("POST /api/owned HTTP/1.1\r\nHost: x\r\nContent-Length: 500\r\n\r\nhalf", () =>
        socket.resetAndDestroy(),
      );
      await turn;
      expect(world.given).toEqual([]);
      expect(world.errors).toEqual([]);
    });

    it("replies before an oversized upload has ended, and holds none of it", async () => {
      world.mount();
      const socket = connect(world.port, "127.0.0.1");
      socket.write(
        "POST /api/owned HTTP/1.1\r\nHost: x\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n",
      );
      socket.write(`c8\r\n${"x".repeat(200)}\r\n`);
      const first = await new Promise<Buffer>((resolve) => socket.once("data", resolve));
      expect(String(first)).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
      expect(world.given).toMatchObject([{ body: "too-large" }]);

      const before = heldBytes();
      const chunk = `100000\r\n${"x".repeat(0x100000)}\r\n`;
      for (let sent = 0; sent < 96; sent += 1) {
        if (!socket.write(chunk)) await once(socket, "drain");
      }
      expect(heldBytes() - before).toBeLessThan(48 * 1024 * 1024);
      const ended = once(socket.resume(), "end");
      socket.write("0\r\n\r\n");
      await ended;
      expect(world.errors).toEqual([]);
    });
  });
}
