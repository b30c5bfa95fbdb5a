import { ERROR_CATALOG } from "@tillkit/core/errors";
import {
  downloadsFailureResponse,
  METRICS_ERRORS,
  metricsRoutes,
  notificationRoutes,
} from "@tillkit/core/http";
import type { Endpoint } from "./endpoints.js";
import { type AnswerSchema, fieldsOf, jsonSchema } from "./json-schema.js";
import { code, page, table } from "./markdown.js";
import type { JsonSchema } from "./parameters.js";

const SOURCES = {
  query: "Query parameters",
  body: "Members of a JSON object as body",
  path: "In the path",
  anywhere: "Members of a JSON object, fields of a form, or query parameters",
} as const;

/** Creates the HTTP reference: the parameters, answers and failures of each endpoint. */
export function httpPage(endpoints: readonly Endpoint[]): string {
  return page(
    "HTTP",
    "[openapi.json](../../packages/core/openapi.json) contains the same in OpenAPI format, with examples. " +
      "`@tillkit/core/openapi.json` is this file; [generate a client](../../packages/core/README.md#generate-a-client) from it. The limits are those of the default [policy](policy.md).",
    "If the path is unknown or does not support the method, the response is HTTP 404 and 10014 (`endpoint.not-found`) on every surface " +
      "and with every `statusMode`. A wallet therefore repeats a notification that was sent to a wrong address.",
    "A slash after a path makes no difference: `/order.json/` is `/order.json`.",
    "`/history.json` and the downloads reports have `Vary: accept-encoding`. A body of 1 KiB or more is compressed by Brotli or gzip " +
      "if `Accept-Encoding` allows it, by its weights (`q`). With `identity;q=0` a shorter body is compressed, too; if no coding is " +
      "acceptable, the body is sent as it is. `/history.json` and v2 of the downloads reports have a weak `ETag`. If a request has it in " +
      "`If-None-Match` and the data is the same, the response is 304 without a body. No other response is compressed or has a tag.",
    "## Payments and sessions",
    "Below `{base_url}`. Every request has the headers `APP_ID` and `APP_SECRET`, so send it from a backend only. A success is " +
      '`{ "code": 0, "msg": "success", "data": … }`; a failure `{ "code", "msg", "traceId" }`, see [errors](errors.md). ' +
      "Every response has an `x-trace-id` header. `msg` is Chinese if `Accept-Language` starts with `zh`. `null` counts as " +
      "absent, and so does an empty `paySource`, `payerId`, `customerName`, `serviceNo`, `serviceTypeNo` or `sourceFrom`. Unknown " +
      "parameters are ignored. A host can set other values of `payChannel` and `sourceFrom` in its policy.",
    table(
      ["Method", "Path", "Purpose"],
      endpoints.map(({ method, path, purpose }) => [
        method,
        `[${code(path)}](#${anchor(method, path)})`,
        purpose,
      ]),
    ),
    ...endpoints.flatMap(endpointSection),
    "## Downloads",
    "Below `{metrics_base_url}`. The surface owns `/misc` and everything below it. No header is required: the `id` identifies the client. Both versions return the same body; the legacy version always has " +
      "HTTP status 200. `HEAD` is answered like `GET`, without the body. `HEAD` and 304 take a unit of the daily limit, as a 200 does.",
    table(
      ["Method", "Path", "Version"],
      metricsRoutes.map(({ method, path, version }) => [method, code(path), version]),
    ),
    table(
      ["Query parameter", "Required", "Meaning"],
      METRICS_PARAMETERS.map(({ name, meaning }) => [code(name), "yes", meaning]),
    ),
    "A success:",
    ...fieldTables(jsonSchema(metricsRoutes[0].response())),
    "A failure:",
    ...fieldTables(jsonSchema(downloadsFailureResponse())),
    table(
      ["`errorCode`", "v2 status", "Retry", "`responseBody`"],
      Object.values(METRICS_ERRORS).map(({ errorCode, status, retryable, text }) => [
        code(errorCode),
        String(status),
        retryable ? "yes" : "no",
        text,
      ]),
    ),
    "Both versions also send `RateLimit-Limit`, `RateLimit-Remaining` and `RateLimit-Reset` if the allowance is known. A 429 of v2 also " +
      "has `Retry-After`.",
    "## Notifications",
    "Below `ports.notificationsUrl`. The surface owns every path there. The wallets call these endpoints, and authenticate by a signature over the raw bytes.",
    table(
      ["Method", "Path"],
      notificationRoutes.map(({ method, path }) => [method, code(path)]),
    ),
  );
}

/** The parameters of both downloads endpoints. */
export const METRICS_PARAMETERS = [
  { name: "id", meaning: "The client's API id.", schema: { type: "string" } },
  {
    name: "start",
    meaning: "The first day of the range, `YYYY-MM-DD`.",
    schema: { type: "string", format: "date" },
  },
  {
    name: "end",
    meaning: "The last day of the range, `YYYY-MM-DD`.",
    schema: { type: "string", format: "date" },
  },
] as const;

function endpointSection(endpoint: Endpoint): readonly string[] {
  const { method, path, purpose, from, parameters, response, failures } = endpoint;
  const { code: _code, msg: _msg, data = {}, ...beside } = jsonSchema(response()).properties ?? {};
  const inputs = [
    `${SOURCES[from]}:`,
    table(
      ["Parameter", "Type", "Required", "Default", "Meaning"],
      parameters.map(({ name, schema, required, default: given, meaning }) => [
        code(name),
        typeText(schema),
        required ? "yes" : "no",
        given === undefined ? "" : code(String(given)),
        meaning,
      ]),
    ),
  ];
  return [
    `### ${method} ${path}`,
    purpose,
    ...(parameters.length === 0 ? ["No parameters."] : inputs),
    "`data` of a success:",
    ...fieldTables(data),
    ...Object.entries(beside).map(([name, schema]) => `Beside it ${code(name)}: ${schema.description ?? ""}`),
    `Failures: ${failures.map((name) => `${ERROR_CATALOG[name].code} ${code(name)}`).join(", ")}.`,
  ];
}

function typeText({ type, enum: values, minimum, maximum, minLength, maxLength }: JsonSchema): string {
  if (values !== undefined) return values.map(code).join(" ");
  const [least, most] = type === "integer" ? [minimum, maximum] : [minLength, maxLength];
  const unit = type === "string" ? " characters" : "";
  if (most !== undefined) return `${type}, ${least ?? 0} to ${most}${unit}`;
  return least === undefined ? type : `${type}, at least ${least}${unit}`;
}

/** Returns one table of fields for each form of the value. */
function fieldTables({ anyOf, ...only }: AnswerSchema): readonly string[] {
  return (anyOf ?? [only]).flatMap((form) => [
    ...(form.title === undefined ? [] : [`${form.title}:`]),
    table(
      ["Field", "Type", "Meaning"],
      fieldsOf(form).map(({ path, type, meaning }) => [path === "" ? "" : code(path), type, meaning]),
    ),
  ]);
}

/** Returns the anchor of the Markdown heading `{method} {path}`. */
function anchor(method: string, path: string): string {
  return `${method} ${path}`
    .toLowerCase()
    .replace(/[^\w\- ]/g, "")
    .replaceAll(" ", "-");
}
