import { type DownloadsQuery, getDownloadsReport } from "../../downloads/get-downloads-report.js";
import type { Ports } from "../../ports.js";
import { endpointNotFound } from "../endpoint-not-found.js";
import { peerKey } from "../../shared/peer-key.js";
import { pairsOf } from "../read-parameters.js";
import {
  type Admission,
  answerAdmission,
  type HttpReply,
  type HttpRequest,
  type LimitableSurface,
} from "../request.js";
import { withTraceId } from "../with-trace-id.js";
import { withoutTrailingSlash } from "../without-trailing-slash.js";
import { idOutcomeOf, limitUnknownIds } from "./limit-unknown-ids.js";
import { metricsErrorReply, reportReply } from "./replies.js";
import { metricsRoutes } from "./routes.js";

/**
 * The downloads endpoints.
 *
 * The surface owns `/misc` and everything below it, and leaves other paths to the host. It refuses
 * requests of an address (`HttpRequest.peer`) that sends more unknown ids than
 * `policy.unknownIdsPerHour`. Each surface object counts separately.
 *
 * @returns the surface, without a limit of concurrent requests.
 * @example
 * ```ts
 * import { metricsSurface, withConcurrencyLimit } from "@tillkit/core/http";
 *
 * const metrics = withConcurrencyLimit(ports, metricsSurface(ports));
 * ```
 */
export function metricsSurface(ports: Ports): LimitableSurface<string> {
  const unknownIds = limitUnknownIds(ports);
  const admit = (request: HttpRequest): Admission<string> => {
    // HEAD is answered, and counted, like GET. The binding sends no body.
    const method = request.method === "HEAD" ? "GET" : request.method;
    const path = withoutTrailingSlash(request.path);
    const route = metricsRoutes.find((one) => one.method === method && one.path === path);
    if (route === undefined) return { kind: "answered", reply: endpointNotFound(ports, request) };
    const finish = (reply: HttpReply<string>): HttpReply<string> =>
      withTraceId(route.reply(reply), ports, request, route.path);
    const reject = (retryAfter: string): HttpReply<string> => {
      const { status, headers, body } = metricsErrorReply({ name: "downloads.limit-check-failed" });
      return finish({ status, headers: { ...headers, "retry-after": retryAfter }, body });
    };
    // Anybody can send an `id`, so it does not identify a trusted sender.
    const sender = peerKey(request.peer);
    const answerOrReject = async (): Promise<HttpReply<string>> => {
      const query = queryOf(request);
      const attempt = unknownIds.begin(sender, query.id.length === 1 ? (query.id[0] ?? "") : "");
      if (attempt.kind === "refused") return reject(String(Math.ceil(attempt.retryAfterMs / 1_000)));
      const report = await getDownloadsReport(ports, query);
      attempt.end(idOutcomeOf(report.isErr() ? report.error : undefined));
      return finish(report.match(reportReply, metricsErrorReply));
    };
    return { kind: "trusted", sender, answer: answerOrReject, reject };
  };
  return {
    name: "metrics",
    maxRequestBytes: 0,
    owns: (_method, path) => path === "/misc" || path.startsWith("/misc/"),
    handle: (request) => answerAdmission(admit(request)),
    admit,
  };
}

function queryOf(request: HttpRequest): DownloadsQuery {
  return {
    id: valuesOf(request, "id"),
    start: valuesOf(request, "start"),
    end: valuesOf(request, "end"),
  };
}

/**
 * Returns the values of a parameter.
 *
 * A value that cannot be decoded becomes U+FFFD, which is neither a date nor a known id.
 */
function valuesOf({ query }: HttpRequest, parameter: string): readonly string[] {
  return pairsOf(query).flatMap(([name, value = "\ufffd"]) => (name === parameter ? [value] : []));
}
