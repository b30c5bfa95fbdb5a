import type { SmsFailure, SmsMessage, SmsSender } from "@tillkit/core";
import { errorCode, isError } from "@tillkit/core/errors";
import { err, ok, type Result, ResultAsync } from "neverthrow";

/** The gateway that sends the messages. */
export interface SmsGateway {
  readonly url: string;
  /** Sent as a bearer token. */
  readonly token: string;
  /** Timeout of one request, in milliseconds. */
  readonly deadline: number;
}

/** Errors before the connection was established: the gateway cannot have received the message. */
const NOT_CONNECTED = new Set(["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "UND_ERR_CONNECT_TIMEOUT"]);

/**
 * Creates a sender that posts each message to an HTTP gateway, as JSON.
 *
 * Sends each message once and never retries. A status of 2xx means accepted. A refusal (4xx) and a
 * failed connection are definite. After any other failure (5xx, 408, a redirect, a lost answer, a
 * timeout) the message may have been sent.
 */
export function httpSmsSender(gateway: SmsGateway): SmsSender {
  return { send: (message) => new ResultAsync(post(gateway, message)) };
}

async function post(
  { url, token, deadline }: SmsGateway,
  { ttl, ...message }: SmsMessage,
): Promise<Result<void, SmsFailure>> {
  try {
    const response = await fetch(url, {
      method: "POST",
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      body: JSON.stringify({ ...message, ttlSeconds: Math.floor(ttl / 1_000) }),
      // A redirect would send the token to another address.
      redirect: "manual",
      signal: AbortSignal.timeout(deadline),
    });
    // An unread body would keep the connection open.
    await response.body?.cancel().catch(() => undefined);
    return verdictOf(response.status);
  } catch (thrown) {
    const code = connectionCode(thrown);
    return code !== undefined && NOT_CONNECTED.has(code)
      ? err({ name: "sms.rejected", detail: `no connection to the gateway: ${code}` })
      : err({
          name: "sms.unknown",
          detail: `no response from the gateway: ${code ?? "timeout or broken connection"}`,
        });
  }
}

function verdictOf(status: number): Result<void, SmsFailure> {
  if (status >= 200 && status < 300) return ok(undefined);
  const detail = `the gateway answered with HTTP ${status}`;
  const definite = status >= 400 && status < 500 && status !== 408;
  return err({ name: definite ? "sms.rejected" : "sms.unknown", detail });
}

function connectionCode(thrown: unknown): string | undefined {
  return isError(thrown) ? errorCode(thrown.cause) : undefined;
}
