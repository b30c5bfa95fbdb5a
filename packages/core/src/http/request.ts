import type { MessageHeaders } from "../shared/message-headers.js";

/** A request as every binding hands it over. */
export interface HttpRequest {
  /** Upper case. */
  readonly method: string;
  /** The path below the mount point, still percent-encoded, with its leading slash. */
  readonly path: string;
  /** The query string without its `?`, still percent-encoded. */
  readonly query: string;
  readonly headers: MessageHeaders;
  /** The raw bytes, empty when there are none, or that there were more than `Surface.maxRequestBytes`. */
  readonly body: Uint8Array | "too-large";
  /** Tells when the client has gone; absent from a binding that cannot know. */
  readonly client?: ClientSignal;
}

/** What is wanted of an `AbortSignal`: it is aborted when the client has gone before it was answered. */
export interface ClientSignal {
  readonly aborted: boolean;
  addEventListener(type: "abort", listener: () => void): void;
  removeEventListener(type: "abort", listener: () => void): void;
}

/** A reply as every binding sends it. */
export interface HttpReply {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** A set of endpoints on request and reply shapes of our own: a binding needs to know nothing else. */
export interface Surface {
  /** The binding stops reading a body beyond this many bytes and says `"too-large"`. */
  readonly maxRequestBytes: number;
  /** Whether this surface answers the path; the binding leaves every other request to the host. */
  owns(method: string, path: string): boolean;
  /** Answers a request it owns. Never rejects. */
  handle(request: HttpRequest): Promise<HttpReply>;
}

/** A surface that `bounded` can put a bound on: it knows whom a request is from, and how to refuse one. */
export interface RefusingSurface extends Surface {
  readonly name: "payments" | "metrics" | "notifications";
  /** Who sends the request by its own word, looked up nowhere: it serves fairness and proves nothing. */
  senderOf(request: HttpRequest): string;
  /** The answer to a request for which there is no room: to be repeated after `retryAfter` seconds. Touches no storage. */
  refuse(request: HttpRequest, retryAfter: string): HttpReply;
}
