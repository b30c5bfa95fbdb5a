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
  /**
   * The address the request came from, as the host vouches for it; absent if the host does not
   * know.
   *
   * By default the address of the socket. Behind a proxy, the host derives it from what the proxy
   * reports.
   */
  readonly peer?: string | undefined;
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

/** What is known about a request before it gets a place. */
export type Admission =
  /** The reply is known, and cost next to nothing. */
  | { readonly kind: "answered"; readonly reply: HttpReply }
  /**
   * The sender is known. `sender` is the name under which the request shares the places. `answer`
   * is told whether the request had to wait for its place, and never rejects.
   */
  | {
      readonly kind: "known";
      readonly sender: string;
      readonly answer: (waited: boolean) => Promise<HttpReply>;
      readonly refuse: Refuse;
    }
  /**
   * The request claims a sender.
   *
   * `prove` may look up what it needs to check the claim, and never rejects.
   */
  | {
      readonly kind: "unproven";
      readonly prove: () => Promise<Exclude<Admission, { kind: "unproven" }>>;
      readonly refuse: Refuse;
    };

/**
 * Makes the reply to a request for which there is no room: to be repeated after `retryAfter`
 * seconds. Touches no storage.
 */
export type Refuse = (retryAfter: string) => HttpReply;

/** A surface that `bounded` can limit: it knows who sent a request, and how to refuse one. */
export interface RefusingSurface extends Surface {
  readonly name: "payments" | "metrics" | "notifications";
  /** Finds the endpoint of the request and who sent it, without a look-up. Never throws. */
  admit(request: HttpRequest): Admission;
}

/** The reply to `admission` where no limit applies. */
export async function answerAdmission(admission: Admission): Promise<HttpReply> {
  const proven = admission.kind === "unproven" ? await admission.prove() : admission;
  return proven.kind === "answered" ? proven.reply : proven.answer(false);
}
