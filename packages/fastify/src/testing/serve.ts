import Fastify, { type FastifyInstance, type FastifyServerOptions } from "fastify";

/** Serves a Fastify application on a free local port until it is closed. */
export async function serve(
  mount: (app: FastifyInstance) => PromiseLike<unknown>,
  options: FastifyServerOptions = {},
) {
  const app = Fastify({ forceCloseConnections: true, ...options });
  await mount(app);
  const baseUrl = await app.listen({ port: 0, host: "127.0.0.1" });
  return { baseUrl, close: () => app.close() };
}
