import type { SmsFailure, SmsMessage, SmsSender } from "@tillkit/core";
import { err, ok, type Result, ResultAsync } from "neverthrow";

/** The gateway that sends a team's messages. */
export interface SmsGateway {
  readonly url: string;
  /** Sent as a bearer token. */
  readonly token: string;
  /** How long the gateway may take, in milliseconds. */
  readonly deadline: number;
}

/** Before a connection stood, so that the gateway cannot have heard of the message. */
const NOT_CONNECTED = new Set(["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "UND_ERR_CONNECT_TIMEOUT"]);

/**
 * Sends codes through a gateway over HTTP: one POST of `{ mobileNo, authCode, ttlSeconds }` a message, never repeated. 2xx is accepted. A
 * refusal (4xx, a redirect) and a connection that never stood are definite; everything else may have gone out: 5xx, 408, a lost answer, the
 * deadline.
 */
export function httpSmsSender(gateway: SmsGateway): SmsSender {
  return { send: (message) => new ResultAsync(post(gateway, message)) };
}

async function post(
  { url, token, deadline }: SmsGateway,
  { mobileNo, authCode, ttl }: SmsMessage,
): Promise<Result<void, SmsFailure>> {
  try {
    const response = await fetch(url, {
      method: "POST",
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      body: JSON.stringify({ mobileNo, authCode, ttlSeconds: Math.floor(ttl / 1_000) }),
      // The token is for this address, not for wherever it points to.
      redirect: "manual",
      signal: AbortSignal.timeout(deadline),
    });
    // What it says beside its status is not needed; left unread it would hold the connection.
    await response.body?.cancel().catch(() => undefined);
    return verdictOf(response.status);
  } catch (thrown) {
    const code = connectionCode(thrown);
    return code !== undefined && NOT_CONNECTED.has(code)
      ? err({ name: "sms.rejected", detail: `no connection to the gateway: ${code}` })
      : err({
          name: "sms.unknown",
          detail: `no answer from the gateway: ${code ?? "deadline or broken off"}`,
        });
  }
}

function verdictOf(status: number): Result<void, SmsFailure> {
  if (status >= 200 && status < 300) return ok(undefined);
  const detail = `the gateway answered with HTTP ${status}`;
  const definite = status < 500 && status !== 408;
  return err({ name: definite ? "sms.rejected" : "sms.unknown", detail });
}

function connectionCode(thrown: unknown): string | undefined {
  const cause = thrown instanceof Error ? thrown.cause : undefined;
  return cause instanceof Error && "code" in cause && typeof cause.code === "string" ? cause.code : undefined;
}
