import type { MessageHeaders } from "../shared/message-headers.js";

/** A request in the form that every binding passes to a surface. */
export interface HttpRequest {
  /** Upper case. */
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
   * By default the address of the socket. Behind a proxy, the host derives it from what the proxy
   * reports.
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
 * It aborts when the client disconnects before the reply.
 */
export interface ClientSignal {
  readonly aborted: boolean;
  addEventListener(type: "abort", listener: () => void): void;
  removeEventListener(type: "abort", listener: () => void): void;
}

/** A reply in the form that every binding sends. */
export interface HttpReply {
  readonly status: number;
  /** Header names are lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** The path in the route table, for logs and metrics. Absent if the endpoint does not exist. */
  readonly route?: string;
  /** The code of the envelope, for logs and metrics. Absent if the reply has no envelope. */
  readonly code?: number;
}

/**
 * A set of endpoints that is independent of any web framework. A binding needs only this interface.
 */
export interface Surface {
  /** The largest body that the binding reads, in bytes. It passes `"too-large"` beyond it. */
  readonly maxRequestBytes: number;
  /** Returns whether this surface answers the path. The host handles all other requests. */
  owns(method: string, path: string): boolean;
  /** Answers a request that the surface owns. Never rejects. */
  handle(request: HttpRequest): Promise<HttpReply>;
}

/** What is known about a request before it gets a slot of the concurrency limiter. */
export type Admission =
  /** The reply is already known, so the request needs no slot. */
  | { readonly kind: "answered"; readonly reply: HttpReply }
  /**
   * The sender is trusted.
   *
   * `sender` is the key under which requests share the slots. `answer` receives whether the request
   * had to wait for its slot, and never rejects.
   */
  | {
      readonly kind: "known";
      readonly sender: string;
      readonly answer: (waited: boolean) => Promise<HttpReply>;
      readonly refuse: Refuse;
    }
  /**
   * The request claims a sender that is not yet trusted.
   *
   * `prove` checks the claim, may read from storage, and never rejects.
   */
  | {
      readonly kind: "unproven";
      readonly prove: () => Promise<Exclude<Admission, { kind: "unproven" }>>;
      readonly refuse: Refuse;
    };

/**
 * Creates the reply to a request that gets no slot. Does not access storage.
 *
 * @param retryAfter - Seconds after which the client may retry, as text.
 */
export type Refuse = (retryAfter: string) => HttpReply;

/** A surface for `withConcurrencyLimit`: it identifies senders and can refuse requests. */
export interface LimitableSurface extends Surface {
  readonly name: "payments" | "metrics" | "notifications";
  /** Finds the endpoint and the sender of the request, without access to storage. Never throws. */
  admit(request: HttpRequest): Admission;
}

/** Answers an admission without any limit. */
export async function answerAdmission(admission: Admission): Promise<HttpReply> {
  const trusted = admission.kind === "unproven" ? await admission.prove() : admission;
  return trusted.kind === "answered" ? trusted.reply : trusted.answer(false);
}
