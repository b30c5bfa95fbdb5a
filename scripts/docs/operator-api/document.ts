import { failureSchema } from "../../../packages/dashboard/src/api/failure-body.js";
import type { OperatorRoute } from "../../../packages/dashboard/src/api/route.js";
import { namedSchemas } from "../openapi/named-schemas.js";
import { OPERATIONS, type OperationRow } from "./operations.js";
import { operatorOperation, tagOf } from "./operation.js";

/** The generated document, below `docs/reference`. */
export const OPERATOR_OPENAPI_PAGE = "operator-openapi.json";

/** Creates the OpenAPI 3.1 document of the operator API, as JSON text. */
export function operatorOpenApi(
  routes: readonly OperatorRoute[],
  rows: Readonly<Record<string, OperationRow>> = OPERATIONS,
): string {
  const schemas = namedSchemas();
  const paths: Record<string, Record<string, object>> = {};
  for (const route of routes) {
    const operation = operatorOperation(route, rowOf(route, rows), schemas);
    paths[route.path] = { ...paths[route.path], [route.method.toLowerCase()]: operation };
  }
  const failure = schemas.add(failureSchema);
  const document = {
    openapi: "3.1.0",
    info: {
      title: "Tillkit operator API",
      version: "1",
      summary: "What the operators' page reads and changes.",
      description:
        "The API of the operators' page. It changes together with the page. Amounts are cents, times are milliseconds since the Unix epoch. In a segment of a path, write each byte of the UTF-8 text other than letters, digits, `-`, `_` and `.` as `~` and two upper-case hexadecimal digits: `a/b` is `a~2Fb`. Write the dots of a text of dots as `~2E`. A percent-encoded segment also works if `~` is written as `~7E`.",
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [
      {
        url: "{base_url}",
        description: "Where the host mounts the operators' page.",
        variables: { base_url: { default: "https://pay.example/dashboard" } },
      },
    ],
    tags: [...new Set(routes.map(({ path }) => tagOf(path)))].map((name) => ({
      name,
      description: `Endpoints below \`/api/${name.toLowerCase().replaceAll(" ", "-")}\`.`,
    })),
    paths,
    components: {
      securitySchemes: {
        session: {
          type: "apiKey",
          in: "cookie",
          name: "__Secure-tillkit-operator",
          description: "The session of an operator. Over plain HTTP, the name has no prefix.",
        },
        csrfToken: {
          type: "apiKey",
          in: "header",
          name: "X-CSRF-Token",
          description: "The token of the session. `GET /api/session` returns it.",
        },
      },
      responses: {
        Failure: {
          description: "The request failed.",
          content: { "application/json": { schema: failure } },
        },
      },
      schemas: schemas.all(),
    },
  };
  return `${JSON.stringify(document, undefined, 2)}\n`;
}

/** Returns the row of an endpoint. Throws if it has none. */
function rowOf(
  { method, path }: Pick<OperatorRoute, "method" | "path">,
  rows: Readonly<Record<string, OperationRow>>,
): OperationRow {
  const row = rows[`${method} ${path}`];
  if (row === undefined) {
    throw new Error(
      `${method} ${path} has no id and summary: add a row to scripts/docs/operator-api/operations.ts`,
    );
  }
  return row;
}
