import { once } from "node:events";
import { connect } from "node:net";
import { listen } from "@tillkit/contract-tests";
import { type HttpReply, type Surface, withShutdown } from "@tillkit/core/http";
import { expect, it, onTestFinished, vi } from "vitest";
import { nodeListener, type NodeListenerOptions } from "./node-listener.js";

const EVENTS = { "content-type": "text/event-stream" } as const;

/** Returns a stream of events, and the function that sends the next one. */
function eventStream() {
  const events: string[] = [];
  let wake = (): void => undefined;
  async function* body() {
    for (;;) {
      const event = events.shift();
      if (event === undefined) await new Promise<void>((resolve) => (wake = resolve));
      else yield event;
    }
  }
  const send = (event: string): void => {
    events.push(event);
    wake();
  };
  return { body: body(), send };
}

async function open(
  reply: () => HttpReply,
  options: NodeListenerOptions = {},
  wrap: (surface: Surface) => Surface = (same) => same,
) {
  const surface = wrap({ maxRequestBytes: 0, owns: () => true, handle: async () => reply() });
  const host = await listen(nodeListener({ "/": surface }, options));
  onTestFinished(() => host.close());
  const send = (head: string) => {
    const socket = connect(host.port, "127.0.0.1").setEncoding("utf8");
    onTestFinished(() => void socket.destroy());
    socket.write(head);
    return socket;
  };
  return { ...host, send };
}

const GET = "GET / HTTP/1.1\r\nHost: x\r\n\r\n";

it("keeps an event stream open beyond the timeouts of the server", async () => {
  const { body, send } = eventStream();
  const host = await open(() => ({ status: 200, headers: EVENTS, body }));
  Object.assign(host.server, { timeout: 50, keepAliveTimeout: 50, requestTimeout: 50, headersTimeout: 50 });
  let received = "";
  const client = host.send(GET).on("data", (text: string) => (received += text));
  await expect.poll(() => received).toContain("text/event-stream");
  // The server closes connections that are idle for as long as the event stream.
  for (const _ of [1, 2, 3]) await once(host.send("GET / HTTP/1.1\r\n").resume(), "close");
  send("data: late\n\n");
  await expect.poll(() => received).toContain("data: late");
  expect(client.destroyed).toBe(false);
});

it("lets a server close with open event streams", async () => {
  const stopping = new AbortController();
  const host = await open(
    () => ({ status: 200, headers: EVENTS, body: eventStream().body }),
    {},
    (surface) => withShutdown(surface, stopping.signal),
  );
  const responses = await Promise.all([1, 2, 3].map(async () => fetch(host.baseUrl)));
  stopping.abort();
  const closed = once(host.server, "close");
  host.server.close();
  for (const response of responses) expect(await response.text()).toBe("");
  host.server.closeIdleConnections();
  await closed;
});

it("resets the connection of an HTTP/1.0 client if a stream throws", async () => {
  let fail = (): void => undefined;
  const failing = new Promise<void>((resolve) => (fail = resolve));
  async function* rows() {
    yield "first\n";
    await failing;
    throw new Error("broken");
  }
  const onError = vi.fn();
  const host = await open(() => ({ status: 200, headers: {}, body: rows() }), { onError });
  let received = "";
  const client = host.send("GET / HTTP/1.0\r\n\r\n").on("data", (text: string) => (received += text));
  await expect.poll(() => received).toContain("first");
  const closed = once(client, "error");
  fail();
  const errors: unknown = await closed;
  expect(errors).toMatchObject([{ code: "ECONNRESET" }]);
  expect(onError).toHaveBeenCalledExactlyOnceWith(new Error("broken"), expect.anything());
});

it("reports a broken stream without the properties of its error", async () => {
  const warn = vi.spyOn(process, "emitWarning").mockReturnValue();
  onTestFinished(() => warn.mockRestore());
  async function* rows() {
    yield "first\n";
    throw Object.assign(new Error("broken"), { parameters: ["+8613800138000"] });
  }
  const host = await open(() => ({ status: 200, headers: {}, body: rows() }));
  await expect((await fetch(host.baseUrl)).text()).rejects.toThrow();
  await expect.poll(() => warn.mock.calls).toHaveLength(1);
  expect(JSON.stringify(warn.mock.calls)).toMatch(/Error: broken/);
  expect(JSON.stringify(warn.mock.calls)).not.toContain("13800138000");
});

it("reports no error if a stream fails because its client has disconnected", async () => {
  const onError = vi.fn();
  const ended = vi.fn();
  const surface: Surface = {
    maxRequestBytes: 0,
    owns: () => true,
    handle: async ({ client }) => {
      async function* events() {
        try {
          yield "data: 1\n\n";
          await new Promise((_resolve, reject) => {
            client?.addEventListener("abort", () => reject(new Error("the client left")));
          });
        } finally {
          ended();
        }
      }
      return { status: 200, headers: EVENTS, body: events() };
    },
  };
  const host = await listen(nodeListener({ "/": surface }, { onError }));
  onTestFinished(() => host.close());
  const client = connect(host.port, "127.0.0.1");
  client.write(GET);
  await once(client, "data");
  client.destroy();
  await expect.poll(() => ended.mock.calls).toHaveLength(1);
  expect(onError).not.toHaveBeenCalled();
});

it("ends a stream whose headers cannot be sent, and answers with 500", async () => {
  const finish = vi.fn(async () => ({ done: true, value: undefined }) as const);
  const body = { [Symbol.asyncIterator]: () => ({ next: vi.fn(), return: finish }) };
  const host = await open(() => ({ status: 200, headers: { "x-broken": "a\nb" }, body }), {
    onError: () => undefined,
  });
  expect((await fetch(host.baseUrl)).status).toBe(500);
  expect(finish).toHaveBeenCalledOnce();
});
