import { ERROR_CATALOG, type ErrorEntry, type FailureName } from "@tillkit/core/errors";
import { METRICS_ERRORS } from "@tillkit/core/http";
import { z } from "zod";
import type { NamedSchemas, Reference } from "./named-schemas.js";

/** Every failure of the catalog with its name, ordered by code. */
const CATALOGUE = Object.entries<ErrorEntry>(ERROR_CATALOG)
  .map(([name, entry]) => ({ name, ...entry }))
  .sort((left, right) => left.code - right.code);

const codes = z.looseObject({ type: z.literal("integer"), enum: z.array(z.int()) });

/**
 * Adds names and meanings to the enumeration of failure codes.
 *
 * Generators of clients use `x-enum-varnames` and `x-enum-descriptions`. `x-tillkit-catalogue` has
 * whole rows.
 */
export function describedFailureCode(schema: unknown): object {
  const { type, enum: values } = codes.parse(schema);
  const rows = values.map((code) => {
    const row = CATALOGUE.find((one) => one.code === code);
    if (row === undefined) throw new Error(`The code ${code} has no row in the catalogue`);
    return row;
  });
  return {
    type,
    description: "Identifies the failure. A code never changes its meaning; new codes may be added.",
    enum: values,
    "x-enum-varnames": rows.map(({ name }) => constantName(name)),
    "x-enum-descriptions": rows.map(({ meaning, advice }) => `${meaning} ${advice}`),
    "x-tillkit-catalogue": rows,
  };
}

/** Defines the failure envelope of one payments operation, whose codes are a part of all codes. */
export function operationFailure(
  schemas: NamedSchemas,
  operationId: string,
  names: readonly FailureName[],
  failure: Reference,
): Reference {
  const own = { code: { enum: names.map((name) => ERROR_CATALOG[name].code) } };
  return schemas.define(`${operationId.charAt(0).toUpperCase()}${operationId.slice(1)}Failure`, {
    description: `A failure of \`${operationId}\`.`,
    allOf: [failure, { type: "object", properties: own, required: ["code"] }],
  });
}

/** Returns the rows of `x-tillkit-failures` of a payments operation. */
export function paymentsFailures(names: readonly FailureName[]) {
  return names.map((name) => {
    const { code, status, retryable }: ErrorEntry = ERROR_CATALOG[name];
    return { code, name, status, retryable };
  });
}

/** Returns the rows of `x-tillkit-failures` of a downloads operation. */
export function downloadsFailures(version: "legacy" | "v2") {
  return Object.entries(METRICS_ERRORS).map(([name, { errorCode, status, retryable }]) => ({
    errorCode,
    name,
    status: version === "legacy" ? 200 : status,
    retryable,
  }));
}

/** Returns the Markdown table of the failures of a payments operation. */
export function paymentsFailureTable(names: readonly FailureName[]): string {
  const rows = names.map((name): readonly string[] => {
    const { code, retryable, meaning }: ErrorEntry = ERROR_CATALOG[name];
    return [String(code), name, retryable ? "yes" : "no", meaning];
  });
  return failureTable("Code", rows);
}

/** Returns the Markdown table of the failures of a downloads operation. */
export function downloadsFailureTable(): string {
  const rows = Object.entries(METRICS_ERRORS).map(([name, { errorCode, retryable, text }]) => [
    errorCode,
    name,
    retryable ? "yes" : "no",
    `${text}.`,
  ]);
  return failureTable("`errorCode`", rows);
}

function failureTable(code: string, rows: readonly (readonly string[])[]): string {
  return [
    "Failures. *Retry* says whether the same request may succeed later without a change.",
    "",
    `| ${code} | Name | Retry | Meaning |`,
    "| --- | --- | --- | --- |",
    ...rows.map(([value, name, retry, meaning]) => `| \`${value}\` | \`${name}\` | ${retry} | ${meaning} |`),
  ].join("\n");
}

/** Returns the constant of a dotted name: `order.not-found` becomes `ORDER_NOT_FOUND`. */
function constantName(name: string): string {
  return name.toUpperCase().replace(/[^A-Z]+/g, "_");
}
