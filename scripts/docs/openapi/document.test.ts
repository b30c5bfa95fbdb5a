import { readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import SwaggerParser from "@apidevtools/swagger-parser";
import { METRICS_ERRORS, metricsRoutes, paymentsRoutes } from "@tillkit/core/http";
import { withTemporaryFolder } from "@tillkit/repository";
import { Ajv2020 } from "ajv/dist/2020.js";
import openapiTypescript, { astToString } from "openapi-typescript";
import ts from "typescript";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { coreProgram } from "../core-program.js";
import { paymentsEndpoints } from "../endpoints.js";
import { OPENAPI_FILE, openApi } from "./document.js";

const media = z.object({
  "application/json": z.object({
    schema: z.unknown(),
    examples: z.record(z.string(), z.object({ value: z.unknown() })).default({}),
  }),
});
const operation = z.object({
  operationId: z.string(),
  description: z.string(),
  responses: z.record(z.string(), z.object({ content: media.optional() })),
  "x-tillkit-failures": z
    .array(
      z.object({
        code: z.int().optional(),
        errorCode: z.string().optional(),
        name: z.string(),
        retryable: z.boolean(),
        status: z.int(),
      }),
    )
    .min(1),
});
const pathItem = z.looseObject({ get: operation.optional(), post: operation.optional() });

const endpoints = paymentsEndpoints(coreProgram());
const text = await openApi(endpoints);
const document = z
  .looseObject({
    paths: z.record(z.string(), pathItem),
    components: z.looseObject({ schemas: z.record(z.string(), z.unknown()) }),
  })
  .parse(JSON.parse(text));
const operations = Object.entries(document.paths).flatMap(([path, { get, post }]) => [
  ...(get === undefined ? [] : [{ path, method: "GET", ...get }]),
  ...(post === undefined ? [] : [{ path, method: "POST", ...post }]),
]);

it("the document is the same at every run", async () => {
  expect(await openApi(endpoints)).toBe(text);
});

it("the document is valid OpenAPI", async () => {
  await withTemporaryFolder(async (folder) => {
    await writeFile(`${folder}/openapi.json`, text);
    await expect(SwaggerParser.validate(`${folder}/openapi.json`)).resolves.toMatchObject({
      openapi: "3.1.0",
    });
  });
});

it("the document has every route and no other", () => {
  const routes = [...paymentsRoutes, ...metricsRoutes].map(({ method, path }) => `${method} ${path}`);
  expect(operations.map(({ method, path }) => `${method} ${path}`).sort()).toEqual(routes.sort());
});

it("the document gives 304 no content, and only to operations with an ETag", () => {
  const withNotModified = operations.filter(({ responses }) => "304" in responses);
  expect(withNotModified.map(({ operationId }) => operationId)).toEqual(["listOrders", "getDownloads"]);
  for (const { responses } of withNotModified) expect(responses["304"]?.content).toBeUndefined();
});

it("the document keeps its operation ids, which are the method names of generated clients", () => {
  expect(operations.map(({ operationId }) => operationId).sort()).toEqual([
    "checkToken",
    "createOrder",
    "getDownloads",
    "getDownloadsLegacy",
    "getOrder",
    "listOrders",
    "listPayTools",
    "listServices",
    "logIn",
    "sendCode",
  ]);
});

it("the document uses every component schema, and refers to no other", () => {
  const used = [...text.matchAll(/"\$ref": "#\/components\/schemas\/(\w+)"/g)].map(([, name]) => name);
  expect([...new Set(used)].sort()).toEqual(Object.keys(document.components.schemas).sort());
  expect(text).not.toContain("#/$defs/");
});

describe.each(operations)("$operationId", (described) => {
  const { path, responses, "x-tillkit-failures": failures } = described;

  it("has examples of a success and of its schema", () => {
    const ajv = new Ajv2020({ strict: false, validateFormats: false });
    ajv.addSchema(document, "openapi");
    const examples = Object.values(responses).flatMap(({ content }) => {
      const json = content?.["application/json"];
      return Object.values(json?.examples ?? {}).map(({ value }) => ({ schema: json?.schema, value }));
    });
    expect(examples.length).toBeGreaterThan(0);
    expect(JSON.stringify(examples[0]?.value)).toMatch(/^\{"code":0,|^\{"data":\{"result":"success"/);
    for (const { schema, value } of examples) {
      const absolute: unknown = JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"openapi#/'));
      const isValid = ajv.validate(z.looseObject({}).parse(absolute), value);
      expect(isValid, ajv.errorsText()).toBe(true);
    }
  });

  it("lists its failures with `retryable`, also in its description", () => {
    const names = endpoints.find((endpoint) => endpoint.path === path)?.failures;
    expect(failures.map(({ name }) => name)).toEqual(names ?? Object.keys(METRICS_ERRORS));
    for (const { code, errorCode, name, retryable } of failures) {
      const row = `| \`${code ?? errorCode}\` | \`${name}\` | ${retryable ? "yes" : "no"} |`;
      expect(described.description).toContain(row);
    }
  });
});

describe("types that openapi-typescript generates", () => {
  const client = `
    import type { components, operations } from "./types.js";
    type Answer = operations["getOrder"]["responses"][200]["content"]["application/json"];
    export function refundedCents(answer: Answer): number | string {
      if (answer.code !== 0) return answer.msg;
      const order: components["schemas"]["Order"] = answer.data;
      return order.extInfo.refundedAmount ?? 0;
    }
    export const request: components["schemas"]["CreateOrderRequest"] =
      { bizNo: "order-1001", amount: 600, goodsTitle: "Membership", payChannel: "WALLET_A" };
    export const code: components["schemas"]["FailureCode"] = 50010;
  `;

  /** Returns the type errors of a client over the generated types. */
  async function typeErrors(source: string): Promise<readonly string[]> {
    const types = astToString(await openapiTypescript(text, { defaultNonNullable: false }));
    return withTemporaryFolder(async (folder) => {
      await writeFile(`${folder}/package.json`, '{ "type": "module" }');
      await writeFile(`${folder}/types.ts`, types);
      await writeFile(`${folder}/client.ts`, source);
      const program = ts.createProgram([`${folder}/client.ts`], {
        strict: true,
        noEmit: true,
        types: [],
        lib: ["lib.es2022.d.ts"],
        skipDefaultLibCheck: true,
        module: ts.ModuleKind.NodeNext,
        target: ts.ScriptTarget.ES2022,
      });
      return ts
        .getPreEmitDiagnostics(program)
        .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, "\n"));
    });
  }

  it("distinguish success and failure by `code`, and know amounts and codes", async () => {
    expect(await typeErrors(client)).toEqual([]);
  });

  it("reject a code, a channel and a member that do not exist", async () => {
    const wrong = client
      .replace("50010", "50999")
      .replace('"WALLET_A"', '"WALLET_C"')
      .replace("refundedAmount", "refunded.amount");
    expect(await typeErrors(wrong)).toHaveLength(3);
  });
});

it("the document is the one that @tillkit/core ships", () => {
  expect(readFileSync(OPENAPI_FILE, "utf8")).toBe(text);
});
