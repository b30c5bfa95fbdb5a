import { type IncomingMessage, request } from "node:http";
import { text } from "node:stream/consumers";

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
  const signal = AbortSignal.timeout(ms);
  try {
    const sent = request({ socketPath, path, agent: false, signal });
    const answered = new Promise<IncomingMessage>((resolve, reject) => {
      sent.once("response", resolve).once("error", reject);
    });
    sent.end();
    const response = await answered;
    return { status: response.statusCode ?? 0, body: await text(response) };
  } catch {
    return undefined;
  }
}
