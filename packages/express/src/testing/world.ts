import { listen, type Listening } from "@tillkit/contract-tests";
import type { HttpReply, HttpRequest } from "@tillkit/core/http";
import type { ErrorRequestHandler, Express } from "express";
import type { versions } from "./hosts.js";

/** A host with one surface that owns `/` and `/owned…` and takes bodies of 100 bytes, and everything a test wants to know about it. */
export interface World extends Listening {
  readonly app: Express;
  /** What the surface was given. */
  readonly given: HttpRequest[];
  /** What arrived at the host's error handler. */
  readonly errors: unknown[];
  /** What the surface does; at first it replies `{}`. */
  handle: (request: HttpRequest) => Promise<HttpReply>;
  /** Mounts the surface at `/api`, after what the test has put into `app`. */
  mount(): void;
  /** Posts to the surface, as JSON unless `headers` say otherwise. */
  post(
    body: string | Uint8Array<ArrayBuffer> | ReadableStream,
    headers?: Record<string, string>,
  ): Promise<Response>;
}

/** Opens such a host on one of the versions. */
export async function openWorld({ express, surfaceRouter }: (typeof versions)[number]): Promise<World> {
  const app = express();
  const listening = await listen(app);
  const noteError: ErrorRequestHandler = (error, _request, response, _next) => {
    world.errors.push(error);
    response.status(500).end("the host's error page");
  };
  const router = surfaceRouter({
    maxRequestBytes: 100,
    owns: (_method, path) => path === "/" || path.startsWith("/owned"),
    handle: (request) => {
      world.given.push(request);
      return world.handle(request);
    },
  });
  const world: World = {
    ...listening,
    app,
    given: [],
    errors: [],
    handle: async () => ({ status: 200, headers: { "content-type": "application/json" }, body: "{}" }),
    mount: () => void app.use("/api", router, noteError),
    post: (body, headers = {}) =>
      fetch(`${listening.baseUrl}/api/owned`, {
        method: "POST",
        headers: { "content-type": "application/json", ...headers },
        body,
        duplex: "half",
      }),
  };
  return world;
}

/** The body as text, or `"too-large"`. */
export function textOf(request: HttpRequest | undefined): string | undefined {
  return request?.body instanceof Uint8Array ? Buffer.from(request.body).toString() : request?.body;
}
