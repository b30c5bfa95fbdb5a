import type { IncomingHttpHeaders } from "node:http";
import type { ServerHttp2Stream } from "node:http2";
import type { Readable, Writable } from "node:stream";

/** A request of `node:http`, `node:https` or `node:http2`. */
export type NodeRequest = Readable & {
  readonly headers: IncomingHttpHeaders & { readonly ":authority"?: string | undefined };
  readonly method?: string | undefined;
  readonly url?: string | undefined;
  readonly httpVersionMajor: number;
  readonly socket: { readonly remoteAddress?: string | undefined };
};

/** A response of `node:http`, `node:https` or `node:http2`. */
export type NodeResponse = Writable & {
  readonly headersSent: boolean;
  readonly socket: { resetAndDestroy(): unknown } | null;
  /** The stream of a response over HTTP/2. Other streams share its connection. */
  readonly stream?: Pick<ServerHttp2Stream, "aborted" | "destroyed" | "close">;
  getHeader(name: string): number | string | readonly string[] | undefined;
  appendHeader(name: string, value: string): unknown;
  writeHead(status: number, headers: Readonly<Record<string, string>>): unknown;
  /** Absent over HTTP/2, where `writeHead` sends the headers at once. */
  flushHeaders?(): void;
  setTimeout(ms: number): unknown;
};

/** Returns whether the response has ended, or its client has disconnected. */
export function isClosed({ stream, destroyed }: NodeResponse): boolean {
  // Node keeps these states of a response over HTTP/2 in its stream only.
  return stream?.destroyed ?? destroyed;
}

/** Returns whether the client has disconnected before it had the whole response. */
export function hasLeft({ stream, destroyed, writableFinished }: NodeResponse): boolean {
  return stream?.aborted ?? (destroyed && !writableFinished);
}
