import { brotliDecompressSync, gunzipSync } from "node:zlib";
import type { Policy } from "@tillkit/core";
import {
  downloadsFailureResponse,
  failureResponse,
  type HttpReply,
  type HttpRequest,
  metricsRoutes,
  paymentsRoutes,
  type Surface,
} from "@tillkit/core/http";
import { parsedJson } from "./json.js";

/** The name of a surface. */
export type SurfaceName = "payments" | "metrics" | "notifications";

/** A reply of a service, with the request and the policy that led to it. */
export interface ServiceExchange {
  readonly surface: SurfaceName;
  /** The policy of the service, which names the channels. */
  readonly policy: Policy;
  readonly request: HttpRequest;
  /** The reply. Its body is not compressed. */
  readonly reply: HttpReply<string>;
}

/** Returns why a reply is wrong, or `undefined` if it is right. */
export type ReplyCheck = (exchange: ServiceExchange) => string | undefined;

/**
 * Wraps a surface and checks each response against the response schema of the route.
 *
 * `serviceStarter` wraps the surfaces of every test. So the check covers every response, however
 * the test sends its requests.
 *
 * @param policy - The policy of the service, which names the channels.
 * @param report - Receives a description of each response that does not match.
 * @param checkReply - Checks each response in addition.
 */
export function checkedSurface(
  name: SurfaceName,
  surface: Surface,
  policy: Policy,
  report: (mismatch: string) => void,
  checkReply: ReplyCheck = () => undefined,
): Surface {
  return {
    maxRequestBytes: surface.maxRequestBytes,
    owns: (method, path) => surface.owns(method, path),
    handle: async (request) => {
      const sent = await surface.handle(request);
      const reply = { ...sent, body: textOf(sent) };
      const problems = [
        problemOf(reply, schemasOf(name, policy, request, reply)),
        checkReply({ surface: name, policy, request, reply }),
      ];
      for (const problem of problems.filter((one) => one !== undefined))
        report(`${request.method} ${request.path} answered ${reply.status} ${reply.body}: ${problem}`);
      return sent;
    },
  };
}

const DECODERS: Readonly<Record<string, (bytes: Uint8Array) => Buffer>> = {
  br: brotliDecompressSync,
  gzip: gunzipSync,
};

/** Returns the body as text. Throws for a stream, or for bytes without a known coding. */
function textOf({ headers, body }: HttpReply): string {
  if (typeof body === "string") return body;
  const decode = DECODERS[headers["content-encoding"] ?? ""];
  if (decode === undefined || !(body instanceof Uint8Array)) throw new Error("The body is no text");
  return decode(body).toString();
}

type Schema = ReturnType<typeof failureResponse | (typeof paymentsRoutes)[number]["response"]>;

/**
 * Returns why a response matches none of the schemas, or `undefined` if one matches.
 *
 * Describes the violations of the schema that has the fewest violations. Without schemas, the
 * result is `undefined`.
 */
function problemOf({ status, body }: HttpReply<string>, schemas: readonly Schema[]): string | undefined {
  if (status === 304) return body === "" ? undefined : "304 has a body";
  const json = parsedJson(body);
  const errors = schemas.flatMap((schema) => schema.safeParse(json).error ?? []);
  if (errors.length < schemas.length) return undefined;
  const [closest] = errors.sort((left, right) => left.issues.length - right.issues.length);
  return closest?.issues.map(({ path, message }) => `${path.join(".")}: ${message}`).join("; ");
}

/** Returns the schemas of a success or of a failure. */
function schemasOf(
  name: SurfaceName,
  policy: Policy,
  { method, path }: HttpRequest,
  { status }: HttpReply,
): readonly Schema[] {
  if (name === "payments") {
    const found = paymentsRoutes.find((one) => one.method === method && one.match(path) !== undefined);
    return found === undefined ? [failureResponse()] : [found.response(policy), failureResponse()];
  }
  if (name === "metrics") {
    const found = metricsRoutes.find(
      (one) => one.method === method.replace("HEAD", "GET") && (path === one.path || path === `${one.path}/`),
    );
    return found === undefined ? [failureResponse()] : [found.response(), downloadsFailureResponse()];
  }
  // Each wallet defines how a notification is acknowledged, so there is no schema for it.
  return status === 404 ? [failureResponse()] : [];
}
