import { downloadsFailureResponse, METRICS_ERRORS, type metricsRoutes } from "@tillkit/core/http";
import { METRICS_PARAMETERS } from "../http-page.js";
import type { OperationExamples } from "./examples.js";
import { downloadsFailures, downloadsFailureTable } from "./failures.js";
import type { NamedSchemas } from "./named-schemas.js";
import { IF_NONE_MATCH, NEGOTIATED, notModified, response } from "./replies.js";
import { tagOf } from "./tags.js";

/** The operation ids of the two versions of the downloads report. They never change. */
export const DOWNLOADS_OPERATION_IDS = { legacy: "getDownloadsLegacy", v2: "getDownloads" } as const;

const RATE_LIMIT = ["RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset"] as const;

/** Describes one version of the downloads report. */
export function downloadsOperation(
  route: (typeof metricsRoutes)[number],
  { request, replies }: OperationExamples,
  schemas: NamedSchemas,
) {
  const { version } = route;
  const operationId = DOWNLOADS_OPERATION_IDS[version];
  const report = schemas.add(route.response());
  const failure = schemas.add(downloadsFailureResponse());
  const legacy = {
    "200": response(
      "A report or a failure. `data.result` distinguishes them.",
      { anyOf: [report, failure] },
      [...RATE_LIMIT, ...NEGOTIATED],
      replies,
    ),
  };
  const withStatus = (status: number) => replies.filter((reply) => reply.status === status);
  const failed = [...new Set(Object.values(METRICS_ERRORS).map(({ status }) => status))].map((status) => {
    const codes = Object.values(METRICS_ERRORS).filter((one) => one.status === status);
    const headers =
      status === 429
        ? ([...RATE_LIMIT, "Retry-After"] as const)
        : status === 500
          ? (["Retry-After"] as const)
          : [];
    const description = codes.map(({ errorCode }) => `\`${errorCode}\``).join(", ");
    return [String(status), response(`${description}.`, failure, headers, withStatus(status))] as const;
  });
  return {
    operationId,
    tags: [tagOf(operationId)],
    summary: `Returns the download counts of one client for a range of days${version === "legacy" ? ", always with status 200" : ""}.`,
    description: [
      "The `id` identifies the client, so the request needs no header. `HEAD` is answered, and counted, like `GET`,",
      "without the body.",
      "",
      downloadsFailureTable(),
    ].join("\n"),
    deprecated: version === "legacy",
    security: [],
    parameters: [
      ...METRICS_PARAMETERS.map(({ name, meaning, schema }) => ({
        name,
        in: "query",
        required: true,
        description: meaning,
        schema,
        example: request.query?.[name],
      })),
      ...(version === "legacy" ? [] : [IF_NONE_MATCH]),
    ],
    responses:
      version === "legacy"
        ? legacy
        : {
            "200": response("A report.", report, [...RATE_LIMIT, ...NEGOTIATED, "ETag"], withStatus(200)),
            "304": notModified("The counts have not changed. The request counts like any other.", [
              ...RATE_LIMIT,
              "Vary",
              "ETag",
            ]),
            ...Object.fromEntries(failed),
          },
    "x-tillkit-failures": downloadsFailures(version),
  };
}
