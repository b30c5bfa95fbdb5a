import { once } from "node:events";
import { connect } from "node:net";
import { inspect } from "node:util";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { listen } from "@tillkit/contract-tests";
import type { HttpRequest } from "@tillkit/core/http";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { nodeListener } from "./node-listener.js";
import { openFixture, type TestFixture } from "./testing/fixture.js";

async function open(...how: Parameters<typeof openFixture>): Promise<TestFixture> {
  const fixture = await openFixture(...how);
  onTestFinished(() => fixture.close());
  return fixture;
}

/** Returns everything that the server sends on a connection until it ends. */
async function wholeOf(socket: ReturnType<TestFixture["send"]>): Promise<string> {
  return Buffer.concat(await socket.toArray()).toString();
}

function collectGarbage(): void {
  setFlagsFromString("--expose-gc");
  runInNewContext("gc()");
}

/** Returns the bytes in objects and buffers that are still reachable. */
function heldBytes(): number {
  collectGarbage();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

/** Records the process warnings of a test. */
function watchWarnings() {
  const warn = vi.spyOn(process, "emitWarning").mockReturnValue();
  onTestFinished(() => warn.mockRestore());
  return warn;
}

/** A request whose body is incomplete. */
const unfinished = (declared: number) =>
  `POST /api/owned HTTP/1.1\r\nHost: x\r\nContent-Length: ${declared}\r\n\r\nhalf`;

describe("nodeListener", () => {
  it("throws at once for a mount point that is not a path", () => {
    expect(() => nodeListener({ pay: { maxRequestBytes: 0, owns: () => true, handle: vi.fn() } })).toThrow(
      RangeError,
    );
  });

  it("adds its Vary values to the Vary header of the host, and keeps other headers of the host", async () => {
    const fixture = await open({}, (listener) => (request, response) => {
      response.setHeader("vary", "Origin").setHeader("x-host", "1");
      listener(request, response);
    });
    fixture.handle = async () => ({ status: 200, headers: { vary: "accept-encoding" }, body: "{}" });
    const { headers } = await fetch(`${fixture.baseUrl}/api/owned`);
    expect([headers.get("vary"), headers.get("x-host")]).toEqual(["Origin, accept-encoding", "1"]);
  });

  it("passes the address of the socket, or the address that `peerOf` returns", async () => {
    const fixture = await open();
    const behindProxy = await open({ peerOf: ({ headers }) => String(headers["x-real-ip"]) });
    for (const { baseUrl } of [fixture, behindProxy]) {
      await fetch(`${baseUrl}/api/owned`, { headers: { "x-real-ip": "192.0.2.7" } });
    }
    expect(fixture.given[0]?.peer).toMatch(/127\.0\.0\.1$/);
    expect(behindProxy.given[0]?.peer).toBe("192.0.2.7");
  });

  it("answers 500 and reports the error if `peerOf` throws", async () => {
    const broken = new Error("no such header");
    const peerOf = () => {
      throw broken;
    };
    const fixture = await open({ peerOf });
    expect((await fixture.post("{}")).status).toBe(500);
    expect(fixture.errors).toEqual([broken]);
  });

  it("accepts an absolute request target", async () => {
    const fixture = await open();
    const head = `GET http://elsewhere.test/api/owned/x?y=1 HTTP/1.1\r\nHost: elsewhere.test`;
    const reply = await wholeOf(fixture.send(`${head}\r\nConnection: close\r\n\r\n`));
    expect(reply).toMatch(/^HTTP\/1\.1 200 /);
    expect(fixture.given).toMatchObject([{ path: "/owned/x", query: "y=1" }]);
  });

  it.each([16_383, 16_384, 500_000])("sends a complete reply of %d characters", async (length) => {
    const fixture = await open();
    const body = "é会€x".repeat(length).slice(0, length);
    fixture.handle = async () => ({ status: 200, headers: {}, body });
    for (const reply of [await fetch(`${fixture.baseUrl}/api/owned`), await fixture.post("{}")]) {
      expect(reply.headers.get("content-length")).toBe(String(Buffer.byteLength(body)));
      expect((await reply.text()) === body).toBe(true);
    }
  });

  it("keeps headers that the host has set", async () => {
    const fixture = await open({}, (listener) => (request, response) => {
      response.setHeader("access-control-allow-origin", "*");
      listener(request, response);
    });
    const reply = await fixture.post("{}");
    expect(reply.headers.get("access-control-allow-origin")).toBe("*");
    expect(reply.headers.get("content-type")).toBe("application/json");
  });

  it("sends nothing if the host has already answered", async () => {
    const fixture = await open({}, (listener) => (request, response) => {
      response.writeHead(503).end("timed out");
      listener(request, response);
    });
    expect((await fetch(`${fixture.baseUrl}/api/owned`)).status).toBe(503);
    await expect.poll(() => fixture.given).toHaveLength(1);
    expect(fixture.errors).toEqual([]);
  });
});

describe("a request that no surface owns", () => {
  it("gets a 404 without a body, and its own body is discarded", async () => {
    const fixture = await open();
    const body = "x".repeat(1_000_000);
    const head = `POST /elsewhere HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: ${body.length}`;
    const reply = await wholeOf(fixture.send(`${head}\r\n\r\n${body}`));
    expect(reply).toMatch(/^HTTP\/1\.1 404 .*\r\ncontent-length: 0\r\n.*\r\n\r\n$/s);
    expect(fixture.given).toEqual([]);
  });

  it("goes to `otherwise` with its body unread", async () => {
    const fixture = await open({
      otherwise: (request, response) => void request.pipe(response.writeHead(201)),
    });
    const reply = await fetch(`${fixture.baseUrl}/api/elsewhere`, { method: "POST", body: "for the host" });
    expect(reply.status).toBe(201);
    expect(await reply.text()).toBe("for the host");
    expect((await fetch(`${fixture.baseUrl}/api/owned`)).status).toBe(200);
  });
});

describe("an unexpected error", () => {
  it.each([
    ["a rejection", () => Promise.reject(new Error("broken"))],
    [
      "an exception",
      () => {
        throw new Error("broken");
      },
    ],
  ])("is answered with 500 and reported: %s of a surface", async (_what, handle) => {
    const fixture = await open();
    fixture.handle = handle;
    const reply = await fixture.post("{}");
    expect(reply.status).toBe(500);
    expect(await reply.text()).toBe("");
    expect(fixture.errors).toEqual([new Error("broken")]);
  });

  it("is answered with 500 and reported: a reply that cannot be sent", async () => {
    const fixture = await open();
    fixture.handle = async () => ({ status: 200, headers: { "x-bad": "line\nbreak" }, body: "secret" });
    const reply = await fixture.post("{}");
    expect(reply.status).toBe(500);
    expect(await reply.text()).toBe("");
    expect(fixture.errors).toMatchObject([{ code: "ERR_INVALID_CHAR" }]);
  });

  it("is answered with 500 and reported: a body that was read before", async () => {
    const fixture = await open({}, (listener) => (request, response) => {
      request.on("end", () => listener(request, response)).resume();
    });
    expect((await fixture.post("{}")).status).toBe(500);
    expect(String(fixture.errors[0])).toMatch(/raw request body/);
    expect(fixture.given).toEqual([]);
  });

  it("closes the connection if a reply has started", async () => {
    const fixture = await open({}, (listener) => (request, response) => {
      response.writeHead(200, { "content-length": 10 }).write("half");
      listener(request, response);
    });
    fixture.handle = () => Promise.reject(new Error("broken"));
    await expect((await fixture.post("{}")).text()).rejects.toThrow();
    expect(fixture.errors).toEqual([new Error("broken")]);
  });

  it("closes the connection and is reported if no 500 can be sent", async () => {
    const fixture = await open({}, (listener) => (request, response) => {
      response.statusMessage = "line\nbreak";
      listener(request, response);
    });
    await expect(fixture.post("{}")).rejects.toThrow();
    expect(fixture.errors).toMatchObject([{ code: "ERR_INVALID_CHAR" }]);
  });

  it.each([
    [
      "throws",
      () => {
        throw new Error("deaf");
      },
    ],
    ["rejects", () => Promise.reject(new Error("deaf"))],
  ])("affects no other request if the host's `onError` %s", async (_what, onError) => {
    const warn = watchWarnings();
    const fixture = await open({ onError });
    fixture.handle = () => Promise.reject(new Error("broken"));
    expect((await fixture.post("{}")).status).toBe(500);
    await expect.poll(() => warn.mock.calls).toHaveLength(1);
    const detail: unknown = expect.stringMatching(/^Error: deaf\n/);
    expect(warn.mock.calls[0]?.[1]).toMatchObject({ detail });
    expect((await fetch(`${fixture.baseUrl}/elsewhere`)).status).toBe(404);
  });

  it("becomes a process warning without `onError`", async () => {
    const warn = watchWarnings();
    const handle = () => Promise.reject(new Error("broken"));
    const host = await listen(nodeListener({ "/": { maxRequestBytes: 0, owns: () => true, handle } }));
    onTestFinished(() => host.close());
    expect((await fetch(host.baseUrl)).status).toBe(500);
    const detail: unknown = expect.stringMatching(/^Error: broken\n +at /);
    expect(warn).toHaveBeenCalledExactlyOnceWith("A request could not be answered.", {
      type: "TillkitWarning",
      detail,
    });
  });
});

describe("what a surface throws", () => {
  const withMembers = Object.assign(new Error("broken"), {
    parameters: ["MARK-1"],
    cause: { phone: "MARK-2" },
  });

  it.each([
    ["a text", "MARK-0", "The surface threw a string."],
    ["a number", 13_800_138_000, "The surface threw a number."],
    ["an object", { phone: "MARK-0" }, "The surface threw a object."],
    ["nothing", undefined, "The surface threw a undefined."],
    ["an error with members", withMembers, "Error: broken"],
  ])("is named in the warning without its values: %s", async (_, thrown, shown) => {
    const warn = watchWarnings();
    const handle = vi.fn<() => Promise<never>>().mockRejectedValue(thrown);
    const host = await listen(nodeListener({ "/": { maxRequestBytes: 0, owns: () => true, handle } }));
    onTestFinished(() => host.close());
    expect(await (await fetch(host.baseUrl)).text()).toBe("");
    const text = inspect(warn.mock.calls, { depth: 9 });
    expect(text).toContain(shown);
    expect(text).not.toMatch(/MARK|13_?800_?138_?000/);
  });
});

it("keeps headers that the host has set, also with several values, and adds cookies to them", async () => {
  const handle = async () => ({ status: 200, headers: {}, cookies: ["c=3"], body: "{}" });
  const listener = nodeListener({ "/": { maxRequestBytes: 0, owns: () => true, handle } });
  const host = await listen((request, response) => {
    response.setHeader("set-cookie", ["a=1", "b=2"]).setHeader("x-list", ["1", "2"]).setHeader("x-number", 7);
    listener(request, response);
  });
  onTestFinished(() => host.close());
  const { headers } = await fetch(host.baseUrl);
  expect(headers.getSetCookie()).toEqual(["a=1", "b=2", "c=3"]);
  expect([headers.get("x-list"), headers.get("x-number")]).toEqual(["1, 2", "7"]);
});

describe("a client that disconnects", () => {
  it("aborts the surface's signal only before the answer", async () => {
    const fixture = await open();
    await (await fixture.post("answered")).text();
    fixture.handle = () => new Promise(() => undefined);
    const socket = fixture.send("GET /api/owned HTTP/1.1\r\nHost: x\r\n\r\n");
    await expect.poll(() => fixture.given).toHaveLength(2);
    expect(fixture.given.map(({ client }) => client?.aborted)).toEqual([false, false]);
    const [received, forgot] = [vi.fn(), vi.fn()];
    for (const { client } of fixture.given) client?.addEventListener("abort", received);
    fixture.given[1]?.client?.addEventListener("abort", forgot);
    fixture.given[1]?.client?.removeEventListener("abort", forgot);
    socket.destroy();
    await expect.poll(() => received.mock.calls).not.toEqual([]);
    expect(fixture.given.map(({ client }) => client?.aborted)).toEqual([false, true]);
    expect(received).toHaveBeenCalledTimes(1);
    expect(forgot).not.toHaveBeenCalled();
  });

  it("does not abort the surface's signal after the answer", async () => {
    const fixture = await open();
    const received = vi.fn();
    let closed: Promise<unknown> = Promise.reject(new Error("not asked yet"));
    closed.catch(() => undefined);
    fixture.server.once("request", (_request, response) => {
      closed = once(response, "close");
    });
    const { handle } = fixture;
    fixture.handle = (request) => {
      request.client?.addEventListener("abort", received);
      return handle(request);
    };
    await (await fixture.post("{}")).text();
    await closed;
    expect(received).not.toHaveBeenCalled();
  });

  it("reaches no surface and reports no error during its upload", async () => {
    const fixture = await open();
    const closed = new Promise((resolve) => {
      fixture.server.once("request", (request) => request.once("close", () => setImmediate(resolve)));
    });
    const socket = fixture.send(unfinished(50));
    await once(fixture.server, "request");
    socket.resetAndDestroy();
    await closed;
    expect(fixture.given).toEqual([]);
    expect(fixture.errors).toEqual([]);
  });

  it("reaches no surface and reports no error before its request starts", async () => {
    let itsTurn = (): void => undefined;
    const turn = new Promise<void>((resolve) => {
      itsTurn = resolve;
    });
    const fixture = await open({}, (listener) => (request, response) => {
      request.once("close", () => {
        listener(request, response);
        setImmediate(itsTurn);
      });
      request.socket.resetAndDestroy();
    });
    fixture.send(unfinished(500)).on("error", () => undefined);
    await turn;
    expect(fixture.given).toEqual([]);
    expect(fixture.errors).toEqual([]);
  });
});

it("replies before an oversized upload has ended, and keeps none of it in memory", async () => {
  const fixture = await open();
  const head = "POST /api/owned HTTP/1.1\r\nHost: x\r\nConnection: close\r\nTransfer-Encoding: chunked";
  const socket = fixture.send(`${head}\r\n\r\nc8\r\n${"x".repeat(200)}\r\n`);
  const first = await new Promise<Buffer>((resolve) => socket.once("data", resolve));
  expect(String(first)).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
  expect(fixture.given).toMatchObject([{ body: "too-large" }]);

  const before = heldBytes();
  const chunk = `100000\r\n${"x".repeat(0x100000)}\r\n`;
  for (let sent = 0; sent < 96; sent += 1) {
    if (!socket.write(chunk)) await once(socket, "drain");
  }
  expect(heldBytes() - before).toBeLessThan(48 * 1024 * 1024);
  const ended = once(socket.resume(), "end");
  socket.write("0\r\n\r\n");
  await ended;
  expect(fixture.errors).toEqual([]);
});

it("joins the chunks of a body that arrives byte by byte", async () => {
  const handle = vi.fn(async ({ body }: HttpRequest) => ({
    status: 200,
    headers: {},
    body: `${body.length}`,
  }));
  const host = await listen(nodeListener({ "/": { maxRequestBytes: 65_536, owns: () => true, handle } }));
  onTestFinished(() => host.close());
  const bytes = 10_000;
  const chunks: WeakRef<Buffer>[] = [];
  const arrived = new Promise<void>((resolve) => {
    host.server.on("request", (request) =>
      request.on("data", (chunk: Buffer) => chunks.push(new WeakRef(chunk)) === bytes && resolve()),
    );
  });
  const socket = connect(host.port, "127.0.0.1");
  socket.write("POST / HTTP/1.1\r\nHost: x\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n");
  socket.write("1\r\nx\r\n".repeat(bytes));
  await arrived;
  // JavaScript keeps the target of a new `WeakRef` until the current job ends.
  await new Promise((resolve) => setImmediate(resolve));
  collectGarbage();
  expect(chunks.filter((chunk) => chunk.deref()).length).toBeLessThan(bytes / 10);
  socket.write("0\r\n\r\n");
  expect(await wholeOf(socket)).toMatch(/\r\n\r\n10000$/);
});
