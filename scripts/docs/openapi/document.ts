import { root } from "@tillkit/repository";
import { metricsRoutes } from "@tillkit/core/http";
import type { Endpoint } from "../endpoints.js";
import { DOWNLOADS_OPERATION_IDS, downloadsOperation } from "./downloads-operation.js";
import { operationExamples } from "./examples.js";
import { describedFailureCode } from "./failures.js";
import { namedSchemas } from "./named-schemas.js";
import { paymentsOperation } from "./payments-operation.js";
import { HEADER_COMPONENTS, PARAMETER_COMPONENTS } from "./replies.js";
import { TAGS } from "./tags.js";

/** The generated document, which `@tillkit/core` ships. */
export const OPENAPI_FILE = `${root}packages/core/openapi.json`;

/**
 * Creates the OpenAPI 3.1 document of the payments, session and downloads endpoints, as JSON text.
 *
 * Its examples are replies of the surfaces over ports in memory.
 */
export async function openApi(endpoints: readonly Endpoint[]): Promise<string> {
  const examples = await operationExamples();
  const examplesOf = (operationId: string) => {
    const found = examples.get(operationId);
    if (found === undefined) throw new Error(`The operation ${operationId} has no example: add one`);
    return found;
  };
  const schemas = namedSchemas();
  const payments = endpoints.map((endpoint) => {
    const operation = paymentsOperation(endpoint, examplesOf(endpoint.operationId), schemas);
    return [endpoint.path, { [endpoint.method.toLowerCase()]: operation }] as const;
  });
  const downloads = metricsRoutes.map((route) => {
    const operation = downloadsOperation(route, examplesOf(DOWNLOADS_OPERATION_IDS[route.version]), schemas);
    const servers = [
      server("metrics_base_url", "https://pay.example", "Where the metrics router is mounted."),
    ];
    return [route.path, { servers, [route.method.toLowerCase()]: operation }] as const;
  });
  const components = schemas.all();
  const document = {
    openapi: "3.1.0",
    info: {
      title: "Tillkit",
      version: "1",
      summary: "Payment orders at two wallets, SMS sessions and download reports.",
      description: [
        "Every payments answer is an envelope: a success has `code` 0, a failure has another `code`. Branch on",
        "`code`, not on the HTTP status and not on `msg`. By default every answer has status 200; a host with",
        '`statusMode: "standard"` also uses the other statuses of an operation. `x-tillkit-failures` of an',
        "operation lists its failures, and whether a retry makes sense. The limits, and the values of",
        "`PayChannel` and `SourceFrom`, are those of the default policy.",
      ].join(" "),
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [server("base_url", "https://pay.example/pay", "Where the payments router is mounted.")],
    security: [{ appId: [], appSecret: [] }],
    tags: TAGS,
    paths: Object.fromEntries<object>([...payments, ...downloads]),
    components: {
      securitySchemes: {
        appId: header("APP_ID", "The id of the app."),
        appSecret: header("APP_SECRET", "The secret of the app. Send it from a backend only."),
      },
      headers: HEADER_COMPONENTS,
      parameters: PARAMETER_COMPONENTS,
      schemas: { ...components, FailureCode: describedFailureCode(components["FailureCode"]) },
    },
  };
  return `${JSON.stringify(document, undefined, 2)}\n`;
}

function server(name: string, address: string, description: string) {
  return { url: `{${name}}`, description, variables: { [name]: { default: address } } };
}

function header(name: string, description: string) {
  return { type: "apiKey", in: "header", name, description };
}
