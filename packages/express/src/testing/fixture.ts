import { listen, type Listening } from "@tillkit/contract-tests";
import type { HttpReply, HttpRequest } from "@tillkit/core/http";
import type { ErrorRequestHandler, Express } from "express";
import type { versions } from "./hosts.js";

/** A host with one surface that owns `/` and `/owned…` and accepts bodies of at most 100 bytes. */
export interface TestFixture extends Listening {
  readonly app: Express;
  /** The requests that the surface received. */
  readonly given: HttpRequest[];
  /** The errors that the host's error handler received. */
  readonly errors: unknown[];
  /** Handles a request to the surface. Replies `{}` until a test replaces it. */
  handle: (request: HttpRequest) => Promise<HttpReply>;
  /** Mounts the surface at `/api`, after the middleware that the test added to `app`. */
  mount(): void;
  /** Posts to the surface, as JSON unless `headers` names another content type. */
  post(
    body: string | Uint8Array<ArrayBuffer> | ReadableStream,
    headers?: Record<string, string>,
  ): Promise<Response>;
}

/** Opens a host on one of the Express versions. */
export async function openFixture({
  express,
  surfaceRouter,
}: (typeof versions)[number]): Promise<TestFixture> {
  const app = express();
  const listening = await listen(app);
  const noteError: ErrorRequestHandler = (error, _request, response, _next) => {
    fixture.errors.push(error);
    response.status(500).end("the host's error page");
  };
  const router = surfaceRouter({
    maxRequestBytes: 100,
    owns: (_method, path) => path === "/" || path.startsWith("/owned"),
    handle: (request) => {
      fixture.given.push(request);
      return fixture.handle(request);
    },
  });
  const fixture: TestFixture = {
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
  return fixture;
}

/** Returns the body as text, or `"too-large"`. */
export function textOf(request: HttpRequest | undefined): string | undefined {
  return request?.body instanceof Uint8Array ? Buffer.from(request.body).toString() : request?.body;
}
