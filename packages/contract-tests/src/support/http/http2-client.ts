import { once } from "node:events";
import {
  type ClientHttp2Session,
  type ClientHttp2Stream,
  connect,
  type IncomingHttpHeaders,
} from "node:http2";

/** One request over HTTP/2. */
export interface Http2Request {
  readonly method?: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string | string[]>>;
  /** Each part is a data frame. Without parts, the header frame ends the request. */
  readonly body?: readonly Buffer[];
}

/** A reply over HTTP/2. */
export interface Http2Reply {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** A connection over HTTP/2. */
export interface Http2Client {
  /** Sends a request. Resolves with the whole reply, and rejects if the reply is cut off. */
  call(request: Http2Request): Promise<Http2Reply>;
  /** Sends a request whose reply the test reads by itself. */
  open(request: Http2Request): ClientHttp2Stream;
  close(): void;
}

/** Connects to a server that speaks HTTP/2 without TLS. */
export function http2Client(baseUrl: string): Http2Client {
  const session: ClientHttp2Session = connect(baseUrl);
  // An error of the connection also fails each of its requests.
  session.on("error", () => undefined);
  const open = ({ method = "GET", path, headers, body }: Http2Request): ClientHttp2Stream => {
    const target = new URL(baseUrl).pathname.replace(/\/$/, "") + path;
    const stream = session.request(
      { ...headers, ":method": method, ":path": target },
      { endStream: body === undefined },
    );
    if (body === undefined) return stream;
    for (const part of body) stream.write(part);
    return stream.end();
  };
  return {
    open,
    call: async (request) => {
      const stream = open(request);
      const headers: IncomingHttpHeaders & { ":status"?: number } = {};
      stream.on("response", (received) => Object.assign(headers, received));
      const chunks: Buffer[] = [];
      stream.on("data", (chunk: Buffer) => chunks.push(chunk));
      await once(stream, "close");
      if (stream.rstCode !== 0) throw new Error(`The reply was cut off: ${String(stream.rstCode)}.`);
      return { status: headers[":status"] ?? 0, headers, body: Buffer.concat(chunks) };
    },
    close: () => session.destroy(),
  };
}
