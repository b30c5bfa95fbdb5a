import { writeFile } from "node:fs/promises";
import SwaggerParser from "@apidevtools/swagger-parser";
import { withTemporaryFolder } from "@tillkit/repository";
import { expect, it } from "vitest";
import { z } from "zod";
import { operatorRoutes } from "../../../packages/dashboard/src/api/routes.js";
import { operatorOpenApi } from "./document.js";
import { OPERATIONS } from "./operations.js";

const operation = z.looseObject({
  operationId: z.string(),
  summary: z.string(),
  security: z.array(z.record(z.string(), z.array(z.string()))),
});
const text = operatorOpenApi(operatorRoutes);
const { paths, components } = z
  .looseObject({
    paths: z.record(z.string(), z.record(z.string(), operation)),
    components: z.looseObject({ schemas: z.record(z.string(), z.unknown()) }),
  })
  .parse(JSON.parse(text));
const operations = Object.entries(paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, described]) => ({
    key: `${method.toUpperCase()} ${path}`,
    method,
    ...described,
  })),
);
const keys = operatorRoutes.map(({ method, path }) => `${method} ${path}`).sort();

it("the document is valid OpenAPI", async () => {
  await withTemporaryFolder(async (folder) => {
    await writeFile(`${folder}/openapi.json`, text);
    await expect(SwaggerParser.validate(`${folder}/openapi.json`)).resolves.toMatchObject({
      openapi: "3.1.0",
    });
  });
});

it("the document has every route and no other", () => {
  expect(operations.map(({ key }) => key).sort()).toEqual(keys);
});

it("OPERATIONS has a row with an id and a summary for every route, and for no other", () => {
  expect(Object.keys(OPERATIONS).sort()).toEqual(keys);
  for (const { id, summary } of Object.values(OPERATIONS)) {
    expect(id).toMatch(/^[a-z][A-Za-z]+$/);
    expect(summary).toMatch(/^[A-Z][a-z]+s .+\.$/);
  }
  const ids = Object.values(OPERATIONS).map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
});

it("operatorOpenApi fails with the row to add if a route has none", () => {
  const { "GET /api/audit": _removed, ...others } = OPERATIONS;
  expect(() => operatorOpenApi(operatorRoutes, others)).toThrow(/GET \/api\/audit has no id.*operations\.ts/);
});

it("the document asks for the token of the session with every change", () => {
  for (const { method, security } of operations) {
    const [needed] = security;
    if (needed !== undefined) expect("csrfToken" in needed).toBe(method !== "get");
  }
});

it("the document uses every component schema, and refers to no other", () => {
  const used = [...text.matchAll(/"\$ref": "#\/components\/schemas\/(\w+)"/g)].map(([, name]) => name);
  expect([...new Set(used)].sort()).toEqual(Object.keys(components.schemas).sort());
  expect(text).not.toContain("#/$defs/");
});
