import { getReport } from "../../downloads/get-report.js";
import type { Ports } from "../../ports.js";
import { newTraceId } from "../../shared/random.js";
import { pairsOf } from "../read-parameters.js";
import type { HttpReply, HttpRequest, RefusingSurface } from "../request.js";
import { legacyReply, metricsErrorReply, reportReply } from "./route.js";

/** The two faces of the downloads report: one result, two rules for the status. Source: downloads spec, "Endpoints". */
export const metricsRoutes = [
  { method: "GET", path: "/misc/downloads-api", version: "legacy", reply: legacyReply },
  { method: "GET", path: "/misc/v2/downloads-api", version: "v2", reply: (reply: HttpReply) => reply },
] as const;

/** The downloads endpoints. Every other path is left to the host. */
export function metricsSurface(ports: Ports): RefusingSurface {
  const find = (method: string, path: string) =>
    metricsRoutes.find((route) => route.method === method && route.path === path);
  const faceOf = ({ method, path }: HttpRequest) => find(method, path) ?? metricsRoutes[1];
  return {
    name: "metrics",
    maxRequestBytes: 0,
    owns: (method, path) => find(method, path) !== undefined,
    async handle(request): Promise<HttpReply> {
      return faceOf(request).reply(await answer(ports, request));
    },
    senderOf: (request) => valuesOf(request, "id").join(),
    refuse(request, retryAfter) {
      const { status, headers, body } = metricsErrorReply({ name: "downloads.limit-check-failed" });
      const traceId = newTraceId(ports.random);
      const more = { "retry-after": retryAfter, "x-trace-id": traceId };
      return faceOf(request).reply({ status, headers: { ...headers, ...more }, body });
    },
  };
}

async function answer(ports: Ports, request: HttpRequest): Promise<HttpReply> {
  const query = {
    id: valuesOf(request, "id"),
    start: valuesOf(request, "start"),
    end: valuesOf(request, "end"),
  };
  const report = await getReport(ports, query);
  return report.match(reportReply, metricsErrorReply);
}

/** A value that cannot be decoded is no date and no id. */
function valuesOf({ query }: HttpRequest, wanted: string): readonly string[] {
  return pairsOf(query).flatMap(([name, value = "\ufffd"]) => (name === wanted ? [value] : []));
}
