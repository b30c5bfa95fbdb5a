import { ERROR_CATALOG, type ErrorEntry } from "@tillkit/core/errors";
import { downloadsFailureResponse, failureResponse, METRICS_ERRORS, metricsRoutes } from "@tillkit/core/http";
import type { Endpoint } from "./endpoints.js";
import { METRICS_PARAMETERS } from "./http-page.js";
import { jsonSchema } from "./json-schema.js";

type Entry = readonly [name: string, value: object];

/**
 * Creates the OpenAPI 3.1 document of the payments, session and downloads endpoints, as JSON text.
 */
export function openApi(endpoints: readonly Endpoint[]): string {
  const document = {
    openapi: "3.1.0",
    info: {
      title: "Tillkit",
      version: "1",
      description:
        "Payment orders at two wallets, SMS sessions and download reports. Branch on `code`, not on the HTTP status.",
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [server("base_url", "Where the payments router is mounted.")],
    paths: Object.fromEntries([...endpoints.map(paymentsPath), ...metricsRoutes.map(metricsPath)]),
    components: {
      securitySchemes: { appId: header("APP_ID"), appSecret: header("APP_SECRET") },
      schemas: { Failure: failureSchema(), MetricsError: jsonSchema(downloadsFailureResponse()) },
    },
  };
  return `${JSON.stringify(document, undefined, 2)}\n`;
}

function server(name: string, description: string) {
  return { url: `{${name}}`, variables: { [name]: { default: "/", description } } };
}

function header(name: string) {
  return { type: "apiKey", in: "header", name };
}

function paymentsPath(endpoint: Endpoint): Entry {
  const { method, path, purpose, from, failures, response } = endpoint;
  const operation = {
    operationId: operationId(path),
    summary: purpose,
    security: [{ appId: [], appSecret: [] }],
    ...(from === "query" || from === "path" ? { parameters: parameters(endpoint, from) } : {}),
    ...(from === "body" || from === "anywhere" ? { requestBody: requestBody(endpoint) } : {}),
    responses: {
      "200": {
        description: "Success, or (by default) any failure. `code` distinguishes them.",
        headers: { "x-trace-id": { schema: { type: "string" } } },
        content: json({ oneOf: [jsonSchema(response()), { $ref: "#/components/schemas/Failure" }] }),
      },
      default: {
        description: 'A failure, with `statusMode: "standard"`.',
        content: json({ $ref: "#/components/schemas/Failure" }),
      },
    },
    "x-failures": failures.map((name) => ({ code: ERROR_CATALOG[name].code, name })),
  };
  return [path, { [method.toLowerCase()]: operation }];
}

/**
 * Returns the operation id of a path, its first name.
 *
 * `/customerServiceMgmt/{customerIdentity}.json` becomes `customerServiceMgmt`.
 */
function operationId(path: string): string {
  return /^\/(\w+)/.exec(path)?.[1] ?? path;
}

function parameters({ parameters }: Endpoint, place: "query" | "path") {
  return parameters.map(({ name, required, schema, default: given, meaning }) => ({
    name,
    in: place,
    required,
    description: meaning,
    schema: given === undefined ? schema : { ...schema, default: given },
  }));
}

function requestBody({ from, parameters }: Endpoint) {
  const properties = parameters.map(({ name, schema, default: given, meaning }): Entry => [
    name,
    { ...schema, description: meaning, ...(given === undefined ? {} : { default: given }) },
  ]);
  const content = {
    schema: {
      type: "object",
      properties: Object.fromEntries(properties),
      required: parameters.filter(({ required }) => required).map(({ name }) => name),
    },
  };
  const form = from === "anywhere" ? { "application/x-www-form-urlencoded": content } : {};
  return {
    // The endpoint accepts the same parameters from the query.
    required: from === "body",
    content: { "application/json": content, ...form },
  };
}

function metricsPath({ method, path, version, response }: (typeof metricsRoutes)[number]): Entry {
  const success = { description: "A report.", content: json(jsonSchema(response())) };
  const either = { oneOf: [jsonSchema(response()), { $ref: "#/components/schemas/MetricsError" }] };
  const statuses = [...new Set(Object.values(METRICS_ERRORS).map(({ status }) => status))];
  const failed = statuses.map((status): Entry => {
    const codes = Object.values(METRICS_ERRORS).filter((one) => one.status === status);
    const description = codes.map(({ errorCode }) => `\`${errorCode}\``).join(", ");
    return [String(status), { description, content: json({ $ref: "#/components/schemas/MetricsError" }) }];
  });
  const operation = {
    operationId: `downloads-${version}`,
    summary: "Download counts of one client for a range of days.",
    deprecated: version === "legacy",
    security: [],
    parameters: METRICS_PARAMETERS.map(({ name, meaning, schema }) => ({
      name,
      in: "query",
      required: true,
      description: meaning,
      schema,
    })),
    responses:
      version === "legacy"
        ? {
            "200": {
              description: "A report or an error. `data.result` distinguishes them.",
              content: json(either),
            },
          }
        : { "200": success, ...Object.fromEntries(failed) },
  };
  const servers = [server("metrics_base_url", "Where the metrics router is mounted.")];
  return [path, { servers, [method.toLowerCase()]: operation }];
}

function json(schema: object) {
  return { "application/json": { schema } };
}

function failureSchema() {
  const entries = Object.entries<ErrorEntry>(ERROR_CATALOG).sort(([, a], [, b]) => a.code - b.code);
  return {
    ...jsonSchema(failureResponse()),
    "x-catalogue": entries.map(([name, entry]) => ({ name, ...entry })),
  };
}
