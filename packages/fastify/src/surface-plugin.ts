import { isError } from "@tillkit/core/errors";
import type { Surface } from "@tillkit/core/http";
import { answerRequest, type PeerOf, splitTarget } from "@tillkit/node";
import type { FastifyInstance, FastifyPluginAsync, FastifyReply, FastifyRequest } from "fastify";
import { routeMalformedEscapes, writtenUrl } from "./malformed-escapes.js";

/** How a plugin finds the sender address of a request, and which paths it registers. */
export interface SurfacePluginOptions {
  /**
   * Returns the address a request came from.
   *
   * Defaults to `request.ip`, which follows the `trustProxy` option of the server.
   *
   * Requests whose sender is not authenticated yet share concurrency slots by address.
   */
  readonly peerOf?: PeerOf<FastifyRequest>;
  /**
   * The routes below the prefix. Defaults to every path.
   *
   * Name fewer paths if the host has a wildcard route of its own at the same place.
   */
  readonly paths?: readonly `/${string}`[];
}

/**
 * Mounts any `Surface` on Fastify 5, below the prefix of `register`.
 *
 * Answers before Fastify reads the body, after the `onRequest` hooks that the host registered
 * earlier. Requests that the surface does not own go to the host's not-found handler. Unexpected
 * errors go to the host's error handler.
 *
 * Compares the prefix case-sensitively, whatever the options of the host's router are.
 *
 * @returns the plugin, for `app.register`.
 * @throws Error at registration if the prefix has parameters or ends with a slash.
 * @example
 * ```ts
 * import { limitedSurfaces } from "@tillkit/core/http";
 * import { surfacePlugin } from "@tillkit/fastify";
 * import { memoryPorts } from "@tillkit/memory";
 * import fastify from "fastify";
 *
 * const app = fastify();
 * await app.register(surfacePlugin(limitedSurfaces(memoryPorts()).payments), { prefix: "/pay" });
 * ```
 */
export function surfacePlugin(
  surface: Surface,
  { peerOf = addressByFastify, paths = ["/*"] }: SurfacePluginOptions = {},
): FastifyPluginAsync {
  return async (instance) => {
    const { prefix } = instance;
    if (/[:*]|\/$/.test(prefix))
      throw new Error(`The prefix "${prefix}" must be a literal path without a slash at its end.`);
    leaveBodies(instance);
    routeMalformedEscapes(instance.server, (method = "", path) => {
      const below = pathBelow(prefix, path);
      return below !== undefined && surface.owns(method, below);
    });
    instance.addHook("onRequest", async (request, reply) => {
      const { path, query } = splitTarget(writtenUrl(request.raw));
      const below = pathBelow(prefix, path);
      if (below === undefined || !surface.owns(request.method, below)) return;
      keepHeaders(reply);
      const target = { path: below, query };
      try {
        await errorsOnly(answerRequest(surface, target, request.raw, reply.raw, peerOf(request)));
      } catch (error) {
        // After the headers were sent, the host's error handler can no longer answer.
        if (!reply.raw.headersSent) throw error;
        // Other properties of the error may hold secrets, such as the parameters of a statement.
        const stack = isError(error) ? error.stack : undefined;
        request.log.error({ stack }, "A stream failed, so its connection was closed.");
      }
      // From here on, Fastify itself sends nothing.
      void reply.hijack();
    });
    const ownPaths = prefix === "" ? paths : ["", ...paths];
    for (const path of ownPaths) instance.all(path, (_request, reply) => reply.callNotFound());
  };
}

const addressByFastify: PeerOf<FastifyRequest> = (request) => request.ip;

/** Lets requests with any content type reach the handler. Fastify does not read their bodies. */
function leaveBodies(instance: FastifyInstance): void {
  instance.removeAllContentTypeParsers();
  instance.addContentTypeParser("*", (_request, _payload, done) => {
    done(null);
  });
}

function pathBelow(prefix: string, path: string): string | undefined {
  if (path === prefix) return "/";
  return path.startsWith(`${prefix}/`) ? path.slice(prefix.length) : undefined;
}

/** Copies the headers that hooks of the host have set, such as CORS, to Node's response. */
function keepHeaders(reply: FastifyReply): void {
  for (const [name, value] of Object.entries(reply.getHeaders())) {
    if (value !== undefined) reply.raw.setHeader(name, value);
  }
}

/** Rejects only with an `Error`, as Fastify expects. Any other rejection becomes its cause. */
async function errorsOnly(answer: Promise<void>): Promise<void> {
  try {
    await answer;
  } catch (cause) {
    throw isError(cause) ? cause : new Error("The surface failed without an Error", { cause });
  }
}
