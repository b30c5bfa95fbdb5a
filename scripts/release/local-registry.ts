import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import { json } from "node:stream/consumers";
import { z } from "zod";
import { configuredRegistry, type NpmRegistry, registryAt } from "./npm-registry.js";

/** A registry on this machine, with the packages of this repository. */
export interface LocalRegistry extends NpmRegistry {
  close(): Promise<void>;
}

/** The body of `PUT /<name>`, which `npm publish` sends. */
const publication = z.looseObject({
  name: z.string(),
  versions: z.record(z.string(), z.looseObject({ dist: z.looseObject({ tarball: z.url() }) })),
  _attachments: z.record(z.string(), z.object({ data: z.base64() })),
});
type Answer = readonly [status: number, body: string | Buffer, headers?: Readonly<Record<string, string>>];

/**
 * Starts a registry on a free port. It keeps the packages in memory, one version of each.
 *
 * Refers npm to the registry of this machine for all packages but `own`, so that a package of this
 * repository never comes from elsewhere.
 *
 * @param own - the names of the packages that this registry accepts.
 */
export async function startLocalRegistry(own: ReadonlySet<string>): Promise<LocalRegistry> {
  const upstream = await configuredRegistry();
  const documents = new Map<string, string>();
  const tarballs = new Map<string, Buffer>();

  const publish = async (request: IncomingMessage): Promise<Answer> => {
    const body = publication.parse(await json(request));
    if (!own.has(body.name)) return [403, `${body.name} is not a package of this repository.`];
    if (documents.has(body.name)) return [409, `${body.name} is published already.`];
    const [version] = Object.values(body.versions);
    const [tarball] = Object.values(body._attachments);
    if (version === undefined || tarball === undefined) return [400, "A version or its tarball is missing."];
    documents.set(body.name, JSON.stringify({ ...body, _attachments: undefined }));
    tarballs.set(new URL(version.dist.tarball).pathname, Buffer.from(tarball.data, "base64"));
    return [201, "{}"];
  };
  const answer = async (request: IncomingMessage): Promise<Answer> => {
    const { pathname } = new URL(request.url ?? "/", "http://localhost");
    const name = decodeURIComponent(pathname.slice(1));
    if (request.method === "PUT") return publish(request);
    const found = tarballs.get(pathname) ?? documents.get(name);
    // A later run may get the same port, so npm must not keep the answer.
    if (found !== undefined) return [200, found, { "cache-control": "no-store" }];
    if (own.has(name)) return [404, "{}"];
    return [302, "", { location: new URL(pathname.slice(1), upstream).href }];
  };
  const server = createServer((request, response) => {
    void answer(request)
      .catch((error: unknown): Answer => [500, String(error)])
      .then(([status, body, headers]) => response.writeHead(status, headers).end(body));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The registry has no port.");
  return {
    ...registryAt(`http://127.0.0.1:${address.port}/`, "local"),
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
