import { type IncomingMessage, request } from "node:http";
import { text } from "node:stream/consumers";
import { errorCode } from "@tillkit/core/errors";

/** A response of a server at a socket. */
export interface Answer {
  readonly status: number;
  readonly body: string;
}

/**
 * Sends a GET to a server at a socket.
 *
 * Resolves with `undefined` if there is no answer within `ms` milliseconds.
 */
export async function ask(socketPath: string, path: string, ms: number): Promise<Answer | undefined> {
  return get(socketPath, path, ms).catch(() => undefined);
}

/**
 * Resolves with true if the server at a socket does not answer a GET within `ms` milliseconds.
 *
 * Resolves with false after an error of this process, such as too many open files.
 */
export async function isSilent(socketPath: string, path: string, ms: number): Promise<boolean> {
  return get(socketPath, path, ms).then(
    () => false,
    (error: unknown) => SILENCE.has(errorCode(error) ?? ""),
  );
}

/** The codes of errors that mean that a server answers too late or accepts no connection. */
const SILENCE: ReadonlySet<string> = new Set(["ABORT_ERR", "ECONNREFUSED", "ECONNRESET", "EAGAIN", "EPIPE"]);

async function get(socketPath: string, path: string, ms: number): Promise<Answer> {
  const sent = request({ socketPath, path, agent: false, signal: AbortSignal.timeout(ms) });
  const answered = new Promise<IncomingMessage>((resolve, reject) => {
    sent.once("response", resolve).once("error", reject);
  });
  sent.end();
  const response = await answered;
  return { status: response.statusCode ?? 0, body: await text(response) };
}
