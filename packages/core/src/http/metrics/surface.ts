import { getReport } from "../../downloads/get-report.js";
import type { Ports } from "../../ports.js";
import { pairsOf } from "../read-parameters.js";
import type { HttpReply, HttpRequest, Surface } from "../request.js";
import { legacyReply, metricsErrorReply, reportReply } from "./route.js";

/** The two faces of the downloads report: one result, two rules for the status. Source: downloads spec, "Endpoints". */
export const metricsRoutes = [
  { method: "GET", path: "/misc/downloads-api", version: "legacy", reply: legacyReply },
  { method: "GET", path: "/misc/v2/downloads-api", version: "v2", reply: (reply: HttpReply) => reply },
] as const;

/** The downloads endpoints. Every other path is left to the host. */
export function metricsSurface(ports: Ports): Surface {
  const find = (method: string, path: string) =>
    metricsRoutes.find((route) => route.method === method && route.path === path);
  return {
    maxRequestBytes: 0,
    owns: (method, path) => find(method, path) !== undefined,
    async handle(request): Promise<HttpReply> {
      const face = find(request.method, request.path) ?? metricsRoutes[1];
      return face.reply(await answer(ports, request));
    },
  };
}

async function answer(ports: Ports, request: HttpRequest): Promise<HttpReply> {
  // A value that cannot be decoded is no date and no id.
  const valuesOf = (wanted: string) =>
    pairsOf(request.query).flatMap(([name, value = "\ufffd"]) => (name === wanted ? [value] : []));
  const query = { id: valuesOf("id"), start: valuesOf("start"), end: valuesOf("end") };
  const report = await getReport(ports, query);
  return report.match(reportReply, metricsErrorReply);
}
