import { once } from "node:events";
import { get, type IncomingMessage } from "node:http";

/** A reply whose head has arrived. The client reads its body only on demand. */
export interface OpenReply {
  readonly response: IncomingMessage;
  /** Returns the next part of the body as text. */
  read(): Promise<string>;
  /** Closes the connection. */
  disconnect(): void;
}

/** Sends a GET request on a connection of its own. Resolves when the head of the reply arrives. */
export function openReply(url: string): Promise<OpenReply> {
  return new Promise((resolve, reject) => {
    const sending = get(url, { agent: false });
    sending.on("error", reject);
    sending.on("response", (response) => {
      // A disconnection is also an error of the response. A test sees the error when it reads.
      response.on("error", () => undefined);
      response.setEncoding("utf8");
      resolve({
        response,
        read: () => readText(response),
        disconnect: () => sending.destroy(),
      });
    });
  });
}

async function readText(response: IncomingMessage): Promise<string> {
  for (;;) {
    const text: unknown = response.read();
    if (typeof text === "string") return text;
    await once(response, "readable");
  }
}
