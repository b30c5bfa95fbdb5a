import { expect, it, vi } from "vitest";
import { isStream } from "./is-stream.js";
import type { HttpReply, HttpRequest, Surface } from "./request.js";
import { withShutdown } from "./with-shutdown.js";

const EVENTS = { "content-type": "text/event-stream" } as const;
const request: HttpRequest = {
  method: "GET",
  path: "/events",
  query: "",
  headers: new Headers(),
  body: new Uint8Array(),
};

/** Replies with one event, and then waits until the client disconnects. */
function eventSurface(ended: () => void, headers: Readonly<Record<string, string>> = EVENTS): Surface {
  async function* events({ client }: HttpRequest) {
    try {
      yield "data: 1\n\n";
      await new Promise<void>((resolve) => client?.addEventListener("abort", resolve));
    } finally {
      ended();
    }
  }
  return {
    maxRequestBytes: 7,
    owns: (_method, path) => path === "/events",
    handle: async (given) => ({ status: 200, headers, body: events(given) }),
  };
}

function textsOf({ body }: HttpReply): AsyncIterator<string> {
  if (!isStream(body)) throw new Error("The reply has no stream");
  return body[Symbol.asyncIterator]();
}

it("owns the paths of its surface", () => {
  const surface = withShutdown(eventSurface(vi.fn()), new AbortController().signal);
  expect(surface.maxRequestBytes).toBe(7);
  expect(surface.owns("GET", "/events")).toBe(true);
  expect(surface.owns("GET", "/other")).toBe(false);
});

it("ends every open event stream when the host stops", async () => {
  const stopping = new AbortController();
  const ended = vi.fn();
  const surface = withShutdown(eventSurface(ended), stopping.signal);
  const pending = [];
  for (const _ of [1, 2, 3]) {
    const texts = textsOf(await surface.handle(request));
    expect(await texts.next()).toEqual({ done: false, value: "data: 1\n\n" });
    pending.push(texts.next());
  }
  expect(ended).not.toHaveBeenCalled();
  stopping.abort();
  for (const last of pending) expect(await last).toMatchObject({ done: true });
  await vi.waitFor(() => expect(ended).toHaveBeenCalledTimes(3));
});

it("immediately ends an event stream that opens after the host has begun to stop", async () => {
  const stopping = new AbortController();
  stopping.abort();
  const texts = textsOf(await withShutdown(eventSurface(vi.fn()), stopping.signal).handle(request));
  expect(await texts.next()).toMatchObject({ done: true });
});

it("passes on the disconnection of the client, and return()", async () => {
  const ended = vi.fn();
  const leaving = new AbortController();
  const surface = withShutdown(eventSurface(ended), new AbortController().signal);
  const texts = textsOf(await surface.handle({ ...request, client: leaving.signal }));
  await texts.next();
  const last = texts.next();
  leaving.abort();
  expect(await last).toMatchObject({ done: true });
  expect(await texts.return?.()).toMatchObject({ done: true });
  expect(ended).toHaveBeenCalledOnce();
});

it("passes on the error of a stream", async () => {
  const body: AsyncIterable<string> = {
    [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(new Error("broken")) }),
  };
  const broken = { ...eventSurface(vi.fn()), handle: async () => ({ status: 200, headers: EVENTS, body }) };
  const texts = textsOf(await withShutdown(broken, new AbortController().signal).handle(request));
  await expect(texts.next()).rejects.toThrow("broken");
  expect(await texts.return?.()).toMatchObject({ done: true });
});

it("lets an export end by itself", async () => {
  const stopping = new AbortController();
  const surface = withShutdown(eventSurface(vi.fn(), { "content-type": "text/csv" }), stopping.signal);
  const texts = textsOf(await surface.handle(request));
  stopping.abort();
  expect(await texts.next()).toEqual({ done: false, value: "data: 1\n\n" });
});
