import { ERROR_CATALOG, type ErrorEntry } from "@tillkit/core/errors";
import { failureResponse } from "@tillkit/core/http";
import type { Endpoint } from "../endpoints.js";
import type { ExampleRequest } from "./example-calls.js";
import type { OperationExamples } from "./examples.js";
import { operationFailure, paymentsFailures, paymentsFailureTable } from "./failures.js";
import type { NamedSchemas } from "./named-schemas.js";
import { IF_NONE_MATCH, NEGOTIATED, notModified, response } from "./replies.js";
import { tagOf } from "./tags.js";

/** Parameters whose values have a component schema. */
const NAMED_VALUES: ReadonlyMap<string, string> = new Map([
  ["payChannel", "PayChannel"],
  ["paySource", "PaySource"],
  ["sourceFrom", "SourceFrom"],
]);

/** Describes one payments or session operation. */
export function paymentsOperation(endpoint: Endpoint, examples: OperationExamples, schemas: NamedSchemas) {
  const { operationId, purpose, from, failures, isNegotiable } = endpoint;
  const [summary = purpose] = purpose.split(/(?<=\.) /);
  const success = schemas.add(endpoint.response());
  const failure = operationFailure(schemas, operationId, failures, schemas.add(failureResponse()));
  return {
    operationId,
    tags: [tagOf(operationId)],
    summary,
    description: [purpose, "", paymentsFailureTable(failures)].join("\n"),
    ...(from === "query" || from === "path"
      ? {
          parameters: [
            ...parameters(endpoint, from, examples.request, schemas),
            ...(isNegotiable ? [IF_NONE_MATCH] : []),
          ],
        }
      : { requestBody: requestBody(endpoint, examples.request, schemas) }),
    responses: {
      "200": response(
        "A success, or by default any failure. `code` distinguishes them.",
        { oneOf: [success, failure] },
        ["X-Trace-Id", "Retry-After", ...(isNegotiable ? ([...NEGOTIATED, "ETag"] as const) : [])],
        examples.replies,
      ),
      ...(isNegotiable
        ? { "304": notModified("The answer has not changed.", ["X-Trace-Id", "Vary", "ETag"]) }
        : {}),
      ...Object.fromEntries(
        statusesOf(failures).map((status) => [
          String(status),
          response(standardFailures(failures, status), failure, [
            "X-Trace-Id",
            ...(status === 503 ? (["Retry-After"] as const) : []),
          ]),
        ]),
      ),
    },
    "x-tillkit-failures": paymentsFailures(failures),
  };
}

function statusesOf(failures: Endpoint["failures"]): readonly number[] {
  return [...new Set(failures.map((name) => ERROR_CATALOG[name].status))].sort((a, b) => a - b);
}

function standardFailures(failures: Endpoint["failures"], status: number): string {
  const rows = failures
    .map((name) => ({ name, entry: ERROR_CATALOG[name] satisfies ErrorEntry }))
    .filter(({ entry }) => entry.status === status)
    .map(({ name, entry }) => `\`${entry.code}\` (\`${name}\`)`);
  return `With \`statusMode: "standard"\`: ${rows.join(", ")}.`;
}

function schemaOf({ name, schema }: Endpoint["parameters"][number], schemas: NamedSchemas): object {
  const component = NAMED_VALUES.get(name);
  return component === undefined ? schema : schemas.define(component, schema);
}

function parameters(
  endpoint: Endpoint,
  place: "query" | "path",
  request: ExampleRequest,
  schemas: NamedSchemas,
) {
  return endpoint.parameters.map((parameter) => {
    const { name, required, default: given, meaning, schema } = parameter;
    const text = place === "path" ? inPath(endpoint.path, request.path) : request.query?.[name];
    const example = schema.type === "integer" && text !== undefined ? Number(text) : text;
    return {
      name,
      in: place,
      required,
      description: meaning,
      schema: { ...schemaOf(parameter, schemas), ...(given === undefined ? {} : { default: given }) },
      ...(example === undefined ? {} : { example }),
    };
  });
}

/** Returns the value of the only parameter of a path. */
function inPath(template: string, path: string): string {
  const [before = "", after = ""] = template.split(/\{\w+\}/);
  return path.slice(before.length, path.length - after.length);
}

function requestBody(endpoint: Endpoint, request: ExampleRequest, schemas: NamedSchemas) {
  const { operationId, from } = endpoint;
  const properties = endpoint.parameters.map((parameter) => {
    const { name, default: given, meaning } = parameter;
    const member = {
      ...schemaOf(parameter, schemas),
      description: meaning,
      ...(given === undefined ? {} : { default: given }),
      ...(meaning.endsWith("Deprecated.") ? { deprecated: true } : {}),
    };
    return [name, member] as const;
  });
  const name = `${operationId.charAt(0).toUpperCase()}${operationId.slice(1)}Request`;
  const schema = schemas.define(name, {
    type: "object",
    properties: Object.fromEntries(properties),
    required: endpoint.parameters.filter(({ required }) => required).map((one) => one.name),
  });
  const content = { schema, example: request.body };
  return {
    // An endpoint that reads parameters from anywhere accepts them from the query, too.
    required: from === "body",
    content: {
      "application/json": content,
      ...(from === "anywhere" ? { "application/x-www-form-urlencoded": content } : {}),
    },
  };
}
