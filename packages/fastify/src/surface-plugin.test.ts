import { connect } from "node:net";
import { gzipSync } from "node:zlib";
import type { HttpReply, HttpRequest } from "@tillkit/core/http";
import Fastify, { type FastifyInstance } from "fastify";
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { surfacePlugin } from "./surface-plugin.js";

const given: HttpRequest[] = [];
const errors: unknown[] = [];
let handle: () => Promise<HttpReply>;
let app: FastifyInstance;

beforeEach(() => {
  given.length = 0;
  errors.length = 0;
  handle = async () => ({ status: 200, headers: { "content-type": "application/json" }, body: "{}" });
  app = Fastify({ forceCloseConnections: true, trustProxy: (address) => address === "192.0.2.1" });
  app.setErrorHandler(async (error, _request, reply) => {
    errors.push(error);
    return reply.code(500).send("the host's error page");
  });
});
afterEach(() => app.close());

/** Mounts a surface that owns `/owned…` below `/api`, and listens. */
async function listen(): Promise<string> {
  const surface = {
    maxRequestBytes: 100,
    owns: (_method: string, path: string) => path.startsWith("/owned"),
    handle: (request: HttpRequest) => {
      given.push(request);
      return handle();
    },
  };
  await app.register(surfacePlugin(surface), { prefix: "/api" });
  return app.listen({ port: 0, host: "127.0.0.1" });
}

const json = { "content-type": "application/json" };

describe("surfacePlugin", () => {
  it("receives the bytes of a JSON body as the client wrote them", async () => {
    const baseUrl = await listen();
    await fetch(`${baseUrl}/api/owned`, { method: "POST", headers: json, body: `{ "amount" : 1.0 }` });
    expect(given[0]?.body).toEqual(Buffer.from(`{ "amount" : 1.0 }`));
  });

  it("passes content types to the surface that Fastify would reject", async () => {
    const baseUrl = await listen();
    for (const type of ["not a type", "application/unknown", "application/json; charset=x;;"]) {
      const headers = { "content-type": type };
      const reply = await fetch(`${baseUrl}/api/owned`, { method: "POST", headers, body: "{" });
      expect(reply.status).toBe(200);
    }
    expect(given).toHaveLength(3);
  });

  it("sends a compressed reply without calling the hooks that compress replies of the host", async () => {
    const text = "a report ".repeat(1_000);
    const hook = vi.fn(async (_request: unknown, _reply: unknown, payload: unknown) => payload);
    app.addHook("onSend", hook);
    const headers = { "content-type": "text/plain", "content-encoding": "gzip", vary: "accept-encoding" };
    handle = async () => ({ status: 200, headers, body: gzipSync(text) });
    const reply = await fetch(`${await listen()}/api/owned`);
    expect(reply.headers.get("content-encoding")).toBe("gzip");
    expect(await reply.text()).toBe(text);
    expect(hook).not.toHaveBeenCalled();
  });

  it("adds its Vary values to the Vary header of the host, such as for CORS", async () => {
    app.addHook("onRequest", async (_request, reply) => {
      void reply.header("vary", "Origin");
    });
    handle = async () => ({ status: 200, headers: { vary: "accept-encoding" }, body: "{}" });
    const reply = await fetch(`${await listen()}/api/owned`);
    expect(reply.headers.get("vary")).toBe("Origin, accept-encoding");
  });

  it("does not change the parsers of the host", async () => {
    app.post("/mine", async ({ body }) => body);
    const baseUrl = await listen();
    const reply = await fetch(`${baseUrl}/mine`, { method: "POST", headers: json, body: `{"a":1}` });
    expect(await reply.json()).toEqual({ a: 1 });
  });

  it("fails with advice if a hook of the host has read the body, unless it kept the bytes", async () => {
    app.addHook("onRequest", async ({ raw, headers }) => {
      const rawBody = Buffer.concat(await raw.toArray());
      if (headers["x-keep"] !== undefined) Object.assign(raw, { rawBody });
    });
    const baseUrl = await listen();
    const post = (headers: Record<string, string>) =>
      fetch(`${baseUrl}/api/owned`, { method: "POST", headers, body: "{}" });
    expect((await post({})).status).toBe(500);
    expect(String(errors[0])).toMatch(/raw request body.*rawBody = bytes/);
    expect(given).toEqual([]);
    expect((await post({ "x-keep": "1" })).status).toBe(200);
    expect(given[0]?.body).toEqual(Buffer.from("{}"));
  });

  it("runs the hooks of the host: a hook may answer first, and headers that a hook sets stay", async () => {
    const answered: number[] = [];
    app.addHook("onRequest", async ({ headers }, reply) => {
      if (headers["x-closed"] !== undefined) return reply.code(503).send("closed");
      void reply.header("access-control-allow-origin", "*");
    });
    app.addHook("onResponse", async (_request, reply) => void answered.push(reply.statusCode));
    const baseUrl = await listen();
    const closed = await fetch(`${baseUrl}/api/owned`, { headers: { "x-closed": "1" } });
    expect(closed.status).toBe(503);
    expect(given).toEqual([]);
    const open = await fetch(`${baseUrl}/api/owned`);
    expect(open.headers.get("access-control-allow-origin")).toBe("*");
    await expect.poll(() => answered).toEqual([503, 200]);
  });

  it("keeps headers of the host with several values, and adds its own cookies", async () => {
    app.addHook("onRequest", async (_request, reply) => {
      void reply.header("x-list", ["1", "2"]).header("x-number", 7);
      void reply.header("set-cookie", "a=1").header("set-cookie", "b=2");
    });
    handle = async () => ({ status: 200, headers: {}, cookies: ["c=3"], body: "{}" });
    const baseUrl = await listen();
    const { headers } = await fetch(`${baseUrl}/api/owned`);
    expect(headers.getSetCookie()).toEqual(["a=1", "b=2", "c=3"]);
    expect([headers.get("x-list"), headers.get("x-number")]).toEqual(["1, 2", "7"]);
  });

  it("logs a stream that fails, without the members of the error", async () => {
    const lines: string[] = [];
    const logged = Fastify({ logger: { stream: { write: (line: string) => void lines.push(line) } } });
    onTestFinished(() => logged.close());
    async function* texts(): AsyncGenerator<string> {
      yield "first";
      throw Object.assign(new Error("The stream failed."), {
        parameters: ["MARK-1"],
        cause: { phone: "MARK-2" },
      });
    }
    const surface = {
      maxRequestBytes: 0,
      owns: () => true,
      handle: async () => ({ status: 200, headers: {}, body: texts() }),
    };
    await logged.register(surfacePlugin(surface), { prefix: "/api" });
    const baseUrl = await logged.listen({ port: 0, host: "127.0.0.1" });
    await expect(fetch(`${baseUrl}/api/owned`).then((reply) => reply.text())).rejects.toThrow();
    await expect.poll(() => lines.join("")).toContain("A stream failed, so its connection was closed.");
    expect(lines.join("")).toContain("Error: The stream failed.");
    expect(lines.join("")).not.toContain("MARK");
  });

  it.each([new Error("broken"), undefined, "text"])(
    "passes the rejection %s to the host's error handler",
    async (cause) => {
      const rejectWith: (cause: unknown) => Promise<never> = Promise.reject.bind(Promise);
      handle = () => rejectWith(cause);
      const baseUrl = await listen();
      const reply = await fetch(`${baseUrl}/api/owned`);
      expect(await reply.text()).toBe("the host's error page");
      expect(errors).toEqual([cause instanceof Error ? cause : expect.objectContaining({ cause })]);
    },
  );

  it("passes a reply that cannot be sent to the host's error handler", async () => {
    handle = async () => ({ status: 200, headers: { "x-bad": "line\nbreak" }, body: "" });
    const baseUrl = await listen();
    expect((await fetch(`${baseUrl}/api/owned`)).status).toBe(500);
    expect(errors).toMatchObject([{ code: "ERR_INVALID_CHAR" }]);
  });

  it("sends requests that it does not own to the host's not-found handler, with any body", async () => {
    app.setNotFoundHandler(async (_request, reply) => reply.code(404).send("mine"));
    const baseUrl = await listen();
    const headers = { "content-type": "application/json" };
    for (const path of ["/api", "/api/other", "/api/%6fwned", "/api//owned", "/%61pi/owned"]) {
      const reply = await fetch(`${baseUrl}${path}`, { method: "POST", headers, body: "{" });
      expect([reply.status, await reply.text()], path).toEqual([404, "mine"]);
    }
    expect(given).toEqual([]);
  });

  it("leaves malformed escapes in paths that it does not own to Fastify", async () => {
    const baseUrl = await listen();
    expect((await fetch(`${baseUrl}/api/owned/%zz?a=%zz`)).status).toBe(200);
    expect(given).toMatchObject([{ path: "/owned/%zz", query: "a=%zz" }]);
    expect((await fetch(`${baseUrl}/api/%zz`)).status).toBe(400);
    expect((await fetch(`${baseUrl}/%zz`)).status).toBe(400);
  });

  it("passes the address that Fastify trusts", async () => {
    const baseUrl = await listen();
    await fetch(`${baseUrl}/api/owned`, { headers: { "x-forwarded-for": "192.0.2.7" } });
    expect(given[0]?.peer).toBe("127.0.0.1");
  });

  it("aborts the surface's signal when the client disconnects", async () => {
    handle = () => new Promise(() => undefined);
    const baseUrl = await listen();
    const socket = connect(Number(new URL(baseUrl).port), "127.0.0.1");
    socket.write("GET /api/owned HTTP/1.1\r\nHost: x\r\n\r\n");
    await expect.poll(() => given).toHaveLength(1);
    socket.destroy();
    await expect.poll(() => given[0]?.client?.aborted).toBe(true);
  });

  it("answers requests that are injected without a socket", async () => {
    await listen();
    const reply = await app.inject({ method: "POST", url: "/api/owned?a=1", payload: "{}" });
    expect([reply.statusCode, reply.body]).toEqual([200, "{}"]);
    expect(given[0]).toMatchObject({ path: "/owned", query: "a=1" });
  });
});
