import type { MessageHeaders } from "../shared/message-headers.js";

/** A request in the form that every binding passes to a surface. */
export interface HttpRequest {
  /** Upper case. A binding sends the reply to HEAD without its body. */
  readonly method: string;
  /** The path below the mount point, with its leading slash, still percent-encoded. */
  readonly path: string;
  /** The query string without its `?`, still percent-encoded. */
  readonly query: string;
  readonly headers: MessageHeaders;
  /**
   * The raw bytes, or `"too-large"` if there are more than `Surface.maxRequestBytes`.
   *
   * Empty if the request has no body.
   */
  readonly body: Uint8Array | "too-large";
  /** Signals that the client has disconnected. Absent if the binding cannot detect it. */
  readonly client?: ClientSignal;
  /**
   * The address of the sender, as the host determines it. Absent if the host does not know it.
   *
   * By default, this is the address of the socket. Behind a proxy, the host derives it from the
   * headers of the proxy.
   */
  readonly peer?: string | undefined;
  /**
   * The trace id of the request: 32 hexadecimal digits.
   *
   * Replies repeat it. If it is absent, the surface creates one.
   */
  readonly traceId?: string;
}

/**
 * The part of an `AbortSignal` that Tillkit needs.
 *
 * It aborts when the client disconnects before it has the whole reply.
 */
export interface ClientSignal {
  readonly aborted: boolean;
  addEventListener(type: "abort", listener: () => void): void;
  removeEventListener(type: "abort", listener: () => void): void;
}

/**
 * The body of a reply: text, bytes or a stream of text.
 *
 * - Bytes are sent as they are, for example a compressed file. The reply names the encoding in
 *   `content-encoding`.
 * - A stream has no content length. The binding asks for the next text only after the client has
 *   read most of the previous texts. If the client disconnects, the binding calls `return()` of the
 *   iterator, and `HttpRequest.client` aborts. A generator that is waiting runs its `finally` block
 *   only after the wait, so it must stop waiting when `HttpRequest.client` aborts.
 * - If a stream throws, the binding breaks off the connection, so that no client takes the reply
 *   for complete.
 * - A binding calls `return()` of a stream that it does not send, such as in the reply to HEAD.
 */
export type ReplyBody = string | Uint8Array | AsyncIterable<string>;

/**
 * How `withNegotiation` may change a reply for its client.
 *
 * A body with a secret must not be negotiable. If the body also contains text that an attacker can
 * choose, its compressed length reveals the secret (BREACH).
 */
export interface Negotiable {
  /**
   * The content that the `ETag` identifies.
   *
   * A client may use an older reply of the same URL if its content is equal.
   *
   * Without this member, the reply has no `ETag`, and is never 304.
   */
  readonly content?: string;
}

/** A reply in the form that every binding sends. */
export interface HttpReply<Body extends ReplyBody = ReplyBody> {
  readonly status: number;
  /** Header names are lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** The values of `set-cookie`. Each value is sent as a separate header. */
  readonly cookies?: readonly string[];
  readonly body: Body;
  /** The path in the route table, for logs and metrics. Absent if the endpoint does not exist. */
  readonly route?: string;
  /** The code of the envelope, for logs and metrics. Absent if the reply has no envelope. */
  readonly code?: number;
  /**
   * Why the request failed, for the log of the host. A binding never sends it.
   *
   * `cause` is what a dependency threw. `failure` is absent on success, and if the surface emits
   * `request.answered`.
   */
  readonly failure?: { readonly name: string; readonly cause?: unknown };
  /** Lets `withNegotiation` compress the body, and answer with 304. If absent, it does neither. */
  readonly negotiable?: Negotiable;
}

/**
 * A set of endpoints that is independent of any web framework. A binding needs only this interface.
 */
export interface Surface<Body extends ReplyBody = ReplyBody> {
  /**
   * The largest body that the binding reads, in bytes.
   *
   * It passes `"too-large"` instead of a larger body.
   */
  readonly maxRequestBytes: number;
  /** Returns whether this surface answers the path. The host handles all other requests. */
  owns(method: string, path: string): boolean;
  /** Answers a request that the surface owns. Never rejects. */
  handle(request: HttpRequest): Promise<HttpReply<Body>>;
}

/** What is known about a request before it gets a slot of the concurrency limiter. */
export type Admission<Body extends ReplyBody = ReplyBody> =
  /** The reply is already known, so the request needs no slot. */
  | { readonly kind: "answered"; readonly reply: HttpReply<Body> }
  /**
   * The sender is trusted.
   *
   * `sender` is the key under which requests share the slots. `answer` receives whether the request
   * had to wait for its slot, and never rejects.
   */
  | {
      readonly kind: "trusted";
      readonly sender: string;
      readonly answer: (waited: boolean) => Promise<HttpReply<Body>>;
      readonly reject: RejectionReply<Body>;
    }
  /**
   * The request claims a sender that is not yet trusted.
   *
   * `authenticate` checks the claim, may read from storage, and never rejects.
   */
  | {
      readonly kind: "untrusted";
      readonly authenticate: () => Promise<Exclude<Admission<Body>, { kind: "untrusted" }>>;
      readonly reject: RejectionReply<Body>;
    };

/**
 * Creates the reply to a request that gets no slot. Does not access storage.
 *
 * @param retryAfter - Seconds after which the client may retry, as text.
 */
export type RejectionReply<Body extends ReplyBody = ReplyBody> = (retryAfter: string) => HttpReply<Body>;

/** A surface for `withConcurrencyLimit`: it identifies senders and can reject requests. */
export interface LimitableSurface<Body extends ReplyBody = ReplyBody> extends Surface<Body> {
  readonly name: "payments" | "metrics" | "notifications" | "receipts";
  /** Finds the endpoint and the sender of the request, without access to storage. Never throws. */
  admit(request: HttpRequest): Admission<Body>;
}

/** Answers an admission without any limit. */
export async function answerAdmission<Body extends ReplyBody>(
  admission: Admission<Body>,
): Promise<HttpReply<Body>> {
  const result = admission.kind === "untrusted" ? await admission.authenticate() : admission;
  return result.kind === "answered" ? result.reply : result.answer(false);
}
