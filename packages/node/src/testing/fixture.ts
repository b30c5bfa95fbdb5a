import type { RequestListener } from "node:http";
import { connect, type Socket } from "node:net";
import { listen, type Listening } from "@tillkit/contract-tests";
import type { HttpReply, HttpRequest } from "@tillkit/core/http";
import { nodeListener, type NodeListenerOptions } from "../node-listener.js";

/** A host with one surface that owns `/api/owned…` and accepts bodies of at most 100 bytes. */
export interface TestFixture extends Listening {
  /** The requests that the surface received. */
  readonly given: HttpRequest[];
  /** The errors that `onError` received. */
  readonly errors: unknown[];
  /** Handles a request to the surface. Replies `{}` until a test replaces it. */
  handle: (request: HttpRequest) => Promise<HttpReply>;
  /** Posts to the surface. */
  post(body: string | Uint8Array<ArrayBuffer>): Promise<Response>;
  /** Opens a connection and sends these bytes. */
  send(bytes: string): Socket;
}

/** Opens a host. `wrap` puts code of the host in front of the listener. */
export async function openFixture(
  options: NodeListenerOptions = {},
  wrap: (listener: RequestListener) => RequestListener = (same) => same,
): Promise<TestFixture> {
  const surface = {
    maxRequestBytes: 100,
    owns: (_method: string, path: string) => path.startsWith("/owned"),
    handle: (request: HttpRequest) => {
      fixture.given.push(request);
      return fixture.handle(request);
    },
  };
  const onError = (error: unknown) => void fixture.errors.push(error);
  const listening = await listen(wrap(nodeListener({ "/api": surface }, { onError, ...options })));
  const fixture: TestFixture = {
    ...listening,
    given: [],
    errors: [],
    handle: async () => ({ status: 200, headers: { "content-type": "application/json" }, body: "{}" }),
    post: (body) => fetch(`${listening.baseUrl}/api/owned`, { method: "POST", body }),
    send: (bytes) => {
      const socket = connect(listening.port, "127.0.0.1");
      socket.write(bytes);
      return socket;
    },
  };
  return fixture;
}
