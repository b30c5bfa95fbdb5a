/** A request as WeChat Pay sees it, with what makes it unique. */
export interface SignedRequest {
  readonly method: "GET" | "POST";
  /** Path and query exactly as on the request line. */
  readonly target: string;
  /** Seconds since the epoch. */
  readonly timestamp: number;
  /** 32 characters of `[0-9A-Za-z]`. */
  readonly nonce: string;
  /** Exactly as sent; empty for a GET. */
  readonly body: string;
}

/** What a merchant signs of a request: five lines, each ended by a line feed. */
export function requestText({ method, target, timestamp, nonce, body }: SignedRequest): string {
  return `${method}\n${target}\n${timestamp}\n${nonce}\n${body}\n`;
}

/** What WeChat Pay signs of an answer or a notification: time, nonce and the raw body, each ended by a line feed. */
export function messageBytes(timestamp: string, nonce: string, body: Uint8Array): Uint8Array {
  return Buffer.concat([Buffer.from(`${timestamp}\n${nonce}\n`), body, Buffer.from("\n")]);
}

/**
 * What a merchant signs to open a payment: four lines, each ended by a line feed.
 *
 * @param timestamp - in seconds.
 * @param opener - the number of the prepayment for an app, `prepay_id=` and that number for JSAPI.
 */
export function payloadText(appid: string, timestamp: number, noncestr: string, opener: string): string {
  return `${appid}\n${timestamp}\n${noncestr}\n${opener}\n`;
}
