import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import type { HttpReply, HttpRequest } from "@tillkit/core/http";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { fetchHandler, type FetchHandlerOptions } from "./fetch-handler.js";

const given: HttpRequest[] = [];
let reply: () => Promise<HttpReply>;
beforeEach(() => {
  given.splice(0);
  reply = async () => ({ status: 200, headers: { "x-trace-id": "t-1" }, body: "{}" });
});

/** A surface that accepts bodies of at most 100 bytes and owns every method but DELETE. */
const surface = {
  maxRequestBytes: 100,
  owns: (method: string) => method !== "DELETE",
  handle: (request: HttpRequest) => {
    given.push(request);
    return reply();
  },
};

function handlerWith<Rest extends readonly unknown[]>(options?: FetchHandlerOptions<Rest>) {
  return fetchHandler({ "/api": surface }, options);
}

/** Creates a promise and the function that resolves it. */
function event() {
  let happen = (): void => undefined;
  const happened = new Promise<void>((resolve) => (happen = resolve));
  return { happened, happen: () => happen() };
}

function collectGarbage(): void {
  setFlagsFromString("--expose-gc");
  runInNewContext("gc()");
}

const ADDRESS = "https://shop.test/api/x?a=1";

/** Creates a request with a streamed body, which has a content length only if `headers` sets it. */
function upload(body: ReadableStream<Uint8Array>, headers: Record<string, string> = {}): Request {
  return new Request(ADDRESS, { method: "POST", headers, body, duplex: "half" });
}

/** Creates a stream and the functions that send its chunks, end it and break it. */
function sending() {
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  const stream = new ReadableStream<Uint8Array>({ start: (given) => void (controller = given) });
  return {
    stream,
    send: (bytes: number) => controller?.enqueue(new Uint8Array(bytes).fill(120)),
    end: () => controller?.close(),
    breakOff: () => controller?.error(new Error("gone")),
  };
}

describe("fetchHandler", () => {
  it("throws at once for a mount point that is not a path", () => {
    expect(() => fetchHandler({ api: surface })).toThrow(RangeError);
  });

  it("passes the address that `peerOf` returns, and otherwise none", async () => {
    await handlerWith()(new Request(ADDRESS));
    const peerOf = (_request: Request, info: { readonly remote: string }) => info.remote;
    await handlerWith({ peerOf })(new Request(ADDRESS), { remote: "192.0.2.7" });
    expect(given.map(({ peer }) => peer)).toEqual([undefined, "192.0.2.7"]);
  });

  it("passes method, path, query, headers and bytes", async () => {
    const headers = { APP_ID: "app-1", "x-mixed": "As Is" };
    const body = Uint8Array.of(0, 255, 1);
    await handlerWith()(new Request(`${ADDRESS}#fragment`, { method: "POST", headers, body }));
    expect(given).toMatchObject([{ method: "POST", path: "/x", query: "a=1", body }]);
    const names = ["app_id", "x-mixed", "app_secret"];
    expect(names.map((name) => given[0]?.headers.get(name))).toEqual(["app-1", "As Is", null]);
  });

  it("returns status, headers, length and body, and adds nothing", async () => {
    reply = async () => ({ status: 429, headers: { "retry-after": "1" }, body: "é" });
    const response = await handlerWith()(new Request(ADDRESS));
    expect(response.status).toBe(429);
    expect([...response.headers]).toEqual([
      ["content-length", "2"],
      ["retry-after", "1"],
    ]);
    expect(await response.text()).toBe("é");
  });

  it("returns a status without a body", async () => {
    reply = async () => ({ status: 204, headers: {}, body: "" });
    const response = await handlerWith()(new Request(ADDRESS));
    expect(response.status).toBe(204);
    expect([...response.headers]).toEqual([]);
  });

  it("aborts the surface's signal if the platform cancels a stream without aborting the request", async () => {
    const isEnded = event();
    async function* texts() {
      try {
        yield "first";
        await new Promise<void>((resolve) => given[0]?.client?.addEventListener("abort", resolve));
      } finally {
        isEnded.happen();
      }
    }
    reply = async () => ({ status: 200, headers: { "content-type": "text/csv" }, body: texts() });
    const response = await handlerWith()(new Request(ADDRESS));
    const reader = response.body?.getReader();
    const first: unknown = (await reader?.read())?.value;
    expect(first instanceof Uint8Array && new TextDecoder().decode(first)).toBe("first");
    expect(given[0]?.client?.aborted).toBe(false);
    await reader?.cancel();
    expect(given[0]?.client?.aborted).toBe(true);
    await isEnded.happened;
  });

  it("aborts the surface's signal if the client disconnects", async () => {
    const client = new AbortController();
    await handlerWith()(new Request(ADDRESS, { signal: client.signal }));
    expect(given[0]?.client?.aborted).toBe(false);
    const [received, forgot] = [vi.fn(), vi.fn()];
    for (const listener of [received, forgot]) given[0]?.client?.addEventListener("abort", listener);
    given[0]?.client?.removeEventListener("abort", forgot);
    client.abort();
    expect(given[0]?.client?.aborted).toBe(true);
    expect(received).toHaveBeenCalledTimes(1);
    expect(forgot).not.toHaveBeenCalled();
  });

  it("creates a signal on demand only, and still aborts it for a client that disconnected before", async () => {
    const client = new AbortController();
    const signal = vi.fn(() => client.signal);
    await handlerWith()(Object.defineProperty(new Request(ADDRESS), "signal", { get: signal }));
    expect(signal).not.toHaveBeenCalled();
    client.abort();
    expect({ ...given[0] }.client?.aborted).toBe(true);
  });
});

describe("a request that no surface owns", () => {
  it.each(["https://shop.test/elsewhere", "https://shop.test/apis", "https://shop.test/"])(
    "gets a 404 without a body: %s",
    async (url) => {
      const response = await handlerWith()(new Request(url));
      expect(response.status).toBe(404);
      expect(await response.text()).toBe("");
      expect(given).toEqual([]);
    },
  );

  it("goes to `otherwise` unchanged, with the platform's further arguments", async () => {
    const otherwise = vi.fn(
      async (request: Request, { name }: { name: string }, _context: object) =>
        new Response(`${name} got ${await request.text()}`),
    );
    const handler = handlerWith({ otherwise });
    const request = new Request(ADDRESS, { method: "DELETE", body: "this" });
    expect(await (await handler(request, { name: "the host" }, {})).text()).toBe("the host got this");
    expect(otherwise).toHaveBeenCalledExactlyOnceWith(request, { name: "the host" }, {});
  });

  it("is the only kind of request that `otherwise` gets", async () => {
    const otherwise = vi.fn(() => new Response());
    expect((await handlerWith({ otherwise })(new Request(ADDRESS))).status).toBe(200);
    expect(otherwise).not.toHaveBeenCalled();
  });
});

describe("a body", () => {
  it("is joined from its chunks, up to the limit", async () => {
    const { stream, send, end } = sending();
    for (const size of [60, 40]) send(size);
    end();
    await handlerWith()(upload(stream));
    expect(given[0]?.body).toEqual(new Uint8Array(100).fill(120));
  });

  it("that arrives byte by byte is joined while it arrives", async () => {
    const [allRead, end] = [event(), event()];
    const bytes = 10_000;
    const chunks: WeakRef<Uint8Array>[] = [];
    const pull = async (controller: ReadableStreamDefaultController<Uint8Array>) => {
      if (chunks.length < bytes) {
        const chunk = Uint8Array.of(120);
        chunks.push(new WeakRef(chunk));
        controller.enqueue(chunk);
        return;
      }
      allRead.happen();
      await end.happened;
      controller.close();
    };
    const handler = fetchHandler({ "/": { ...surface, maxRequestBytes: bytes } });
    const answered = handler(upload(new ReadableStream({ pull }, { highWaterMark: 0 })));
    await allRead.happened;
    // JavaScript keeps the target of a new `WeakRef` until the current job ends.
    await new Promise((resolve) => setImmediate(resolve));
    collectGarbage();
    expect(chunks.filter((chunk) => chunk.deref()).length).toBeLessThan(bytes / 10);
    end.happen();
    await answered;
    expect(given[0]?.body).toEqual(new Uint8Array(bytes).fill(120));
  });

  it("is rejected at the first byte above the limit, and the response ends after the whole body was read", async () => {
    const { stream, send, end } = sending();
    for (const size of [60, 40, 1]) send(size);
    const response = await handlerWith()(upload(stream));
    expect(given).toMatchObject([{ body: "too-large" }]);
    expect(response.headers.get("content-length")).toBe("2");
    const reader = response.body?.getReader();
    expect((await reader?.read())?.value).toEqual(new TextEncoder().encode("{}"));
    const ended = vi.fn();
    const ending = reader?.read().then(ended);
    send(1_000);
    await new Promise((resolve) => setImmediate(resolve));
    expect(ended).not.toHaveBeenCalled();
    end();
    await ending;
    expect(ended).toHaveBeenCalledWith({ done: true, value: undefined });
  });

  it("is rejected before it arrives if its declared length exceeds the limit", async () => {
    const { stream, end } = sending();
    const response = await handlerWith()(upload(stream, { "content-length": "101" }));
    expect(given).toMatchObject([{ body: "too-large" }]);
    end();
    expect(await response.text()).toBe("{}");
  });

  it("is rejected, too, if it is longer than its declared length", async () => {
    const { stream, send, end } = sending();
    send(101);
    end();
    await handlerWith()(upload(stream, { "content-length": "5" }));
    expect(given).toMatchObject([{ body: "too-large" }]);
  });

  it("that ends early reaches no surface and causes no rejection", async () => {
    const { stream, send, breakOff } = sending();
    send(50);
    const answered = handlerWith()(upload(stream));
    breakOff();
    expect((await answered).status).toBe(400);
    expect(given).toEqual([]);
  });

  it("that ends early after it was rejected ends the response", async () => {
    const { stream, send, breakOff } = sending();
    send(101);
    const response = await handlerWith()(upload(stream));
    breakOff();
    expect(await response.text()).toBe("{}");
  });

  it("may be absent in the reply to a request that is too large", async () => {
    reply = async () => ({ status: 204, headers: {}, body: "" });
    const { stream, send, end } = sending();
    send(101);
    end();
    expect((await handlerWith()(upload(stream))).status).toBe(204);
  });

  it("that was read before causes an error with a remedy", async () => {
    const read = new Request(ADDRESS, { method: "POST", body: "{}" });
    await read.text();
    await expect(handlerWith()(read)).rejects.toThrow(/raw request body.*request\.clone\(\)/);
    const locked = new Request(ADDRESS, { method: "POST", body: "{}" });
    locked.body?.getReader();
    await expect(handlerWith()(locked)).rejects.toThrow(/raw request body/);
    expect(given).toEqual([]);
  });
});

it("rejects with the error of a surface that rejects", async () => {
  reply = () => Promise.reject(new Error("broken"));
  await expect(handlerWith()(new Request(ADDRESS))).rejects.toThrow("broken");
});
