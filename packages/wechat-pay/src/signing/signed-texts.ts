/** The parts of a request that are signed. */
export interface SignedRequest {
  readonly method: "GET" | "POST";
  /** Path and query, exactly as in the request line. */
  readonly target: string;
  /** Seconds since the epoch. */
  readonly timestamp: number;
  /** 32 characters of `[0-9A-Za-z]`. */
  readonly nonce: string;
  /** Exactly as sent. Empty for GET. */
  readonly body: string;
}

/**
 * Returns the text that a merchant signs for a request.
 *
 * The text has five lines, and a line feed ends each line.
 */
export function requestText({ method, target, timestamp, nonce, body }: SignedRequest): string {
  return `${method}\n${target}\n${timestamp}\n${nonce}\n${body}\n`;
}

/**
 * Returns the bytes that WeChat Pay signs for a response or a notification.
 *
 * They are the time, the nonce and the raw body, each followed by a line feed.
 */
export function messageBytes(timestamp: string, nonce: string, body: Uint8Array): Uint8Array {
  return Buffer.concat([Buffer.from(`${timestamp}\n${nonce}\n`), body, Buffer.from("\n")]);
}

/**
 * Returns the text that a merchant signs for a payload that opens a payment.
 *
 * The text has four lines, and a line feed ends each line.
 *
 * @param timestamp - Seconds since the epoch.
 * @param opener - The prepayment id for APP, and `prepay_id=` with the prepayment id for JSAPI.
 */
export function payloadText(appid: string, timestamp: number, noncestr: string, opener: string): string {
  return `${appid}\n${timestamp}\n${noncestr}\n${opener}\n`;
}
