/** A request as every binding hands it over. */
export interface HttpRequest {
  /** Upper case. */
  readonly method: string;
  /** The path below the mount point, still percent-encoded, with its leading slash. */
  readonly path: string;
  /** The query string without its `?`, still percent-encoded. */
  readonly query: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** The raw bytes, empty when there are none, or that there were more than `Surface.maxRequestBytes`. */
  readonly body: Uint8Array | "too-large";
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
