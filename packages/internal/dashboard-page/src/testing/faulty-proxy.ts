import type { RequestListener, ServerResponse } from "node:http";

/** The addresses of event streams. */
const STREAMS = /\/order-events/;

/** What a proxy between the browser and the hosts does wrong. */
export interface ProxyFaults {
  /** Lets the hosts do their work for these addresses, and then drops the connection. */
  losesAnswersOf: RegExp | undefined;
  /** Answers 502 for these addresses, after the hosts have done their work. */
  failsAnswersOf: RegExp | undefined;
  /** Drops requests for these addresses, so that they do not arrive. */
  losesRequestsOf: RegExp | undefined;
  /** Buffers event streams until they end. They never end, so no event arrives. */
  buffersStreams: boolean;
}

/** The requests that a proxy has seen, oldest first. */
export interface SeenRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

/** Creates a proxy that sends each request to the next host, and that fails as a test needs it. */
export function faultyProxy(hosts: readonly RequestListener[]) {
  const faults: ProxyFaults = {
    losesAnswersOf: undefined,
    failsAnswersOf: undefined,
    losesRequestsOf: undefined,
    buffersStreams: false,
  };
  const seen: SeenRequest[] = [];
  const streams = new Set<ServerResponse>();
  let turn = 0;
  const listener: RequestListener = (request, response) => {
    const { method = "", url = "", headers } = request;
    seen.push({ method, url, headers });
    if (faults.losesRequestsOf?.test(url)) {
      drop(response);
      return;
    }
    if (faults.losesAnswersOf?.test(url)) withoutAnswer(response, drop);
    else if (faults.failsAnswersOf?.test(url)) withoutAnswer(response, badGateway);
    else if (faults.buffersStreams && STREAMS.test(url)) withoutAnswer(response, () => undefined);
    if (STREAMS.test(url)) {
      streams.add(response);
      response.once("close", () => streams.delete(response));
    }
    turn += 1;
    hosts[turn % hosts.length]?.(request, response);
  };
  return { listener, faults, seen, openStreams: () => streams.size };
}

/** Calls `instead` when the host begins to answer, and discards the answer. */
function withoutAnswer(response: ServerResponse, instead: (response: ServerResponse) => void): void {
  const discard = () => response;
  Object.assign(response, {
    write: () => true,
    end: discard,
    flushHeaders: discard,
    writeHead: () => {
      for (const name of ["writeHead", "end"]) Reflect.deleteProperty(response, name);
      instead(response);
      Object.assign(response, { writeHead: discard, end: discard });
      return response;
    },
  });
}

function badGateway(response: ServerResponse): void {
  response.writeHead(502, { "content-type": "text/html" });
  response.end("<h1>502 Bad Gateway</h1>");
}

/** Ends the connection, or the stream of HTTP/2. */
function drop(response: ServerResponse): void {
  if ("stream" in response && isDestroyable(response.stream)) response.stream.destroy(new Error("dropped"));
  else response.destroy();
}

function isDestroyable(stream: unknown): stream is { destroy(error: Error): void } {
  return typeof stream === "object" && stream !== null && "destroy" in stream;
}
