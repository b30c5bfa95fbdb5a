import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";

/** Answers a request, or leaves it unanswered. */
export type Fault = (response: ServerResponse, request: IncomingMessage) => void;

/** A server whose answers a test chooses. */
export interface FaultServer {
  readonly baseUrl: string;
  /** The number of requests that arrived. */
  readonly requests: () => number;
  close(): Promise<void>;
}

/** Starts a server. The last fault answers all further requests. */
export async function startFaultServer(...faults: readonly [Fault, ...Fault[]]): Promise<FaultServer> {
  let requests = 0;
  const server = createServer((request, response) => {
    const fault = faults[Math.min(requests, faults.length - 1)] ?? faults[0];
    requests += 1;
    fault(response, request);
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const address = server.address();
  if (typeof address !== "object" || address === null) throw new Error("The server has no port.");
  return {
    baseUrl: `http://127.0.0.1:${String(address.port)}/pay`,
    requests: () => requests,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

/** Answers with this text. */
export const text =
  (body: string, status = 200, headers: Readonly<Record<string, string>> = {}): Fault =>
  (response) =>
    void response.writeHead(status, headers).end(body);

/** Answers with an envelope. */
export const envelope = (value: object, status = 200, headers = {}): Fault =>
  text(JSON.stringify(value), status, headers);

/** Never answers. */
export const silence: Fault = () => undefined;

/** Closes the connection without an answer. */
export const reset: Fault = (response) => void response.socket?.destroy();

/** Announces a body, sends a part of it, and closes the connection. */
export const halfAnswer: Fault = (response) => {
  response.writeHead(200, { "content-length": "1000" });
  response.write('{"code":0,"msg":"success","da', () => response.socket?.destroy());
};

/** Sends the headers and a part of the body, and then nothing. */
export const slowBody: Fault = (response) => {
  response.writeHead(200, { "content-length": "1000" });
  response.write('{"code":0,');
};

/** Sends bytes without end. */
export const endlessBody: Fault = (response) => {
  response.writeHead(200);
  const chunk = Buffer.alloc(64 * 1024, "x");
  const more = (): void => {
    while (!response.destroyed && response.write(chunk));
    if (!response.destroyed) response.once("drain", more);
  };
  more();
};
