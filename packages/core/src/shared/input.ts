import { ok, type Result } from "neverthrow";
import * as z from "zod";
import { fail, type FailureOf } from "../errors/failure.js";
import { PARAMETER_RULES, type ParameterRule } from "../errors/rule-texts.js";
import type { Policy } from "../policy.js";
import { LARGEST_COUNT, LONGEST_KEY } from "./limits.js";
import { isBlank } from "../text/blank-text.js";
import { formatJsonPath } from "../text/json-path.js";
import { hasControlCharacter } from "./text.js";

/** Failures without parameters. A schema uses their names as messages of its checks. */
const NAMED_FAILURES = [
  "amount.invalid",
  "pay-channel.invalid",
  "source-from.invalid",
  "attach-data.too-large",
  "page.invalid",
] as const;
type NamedFailure = (typeof NAMED_FAILURES)[number];

/** The failures of {@link parseInput}. */
export type InputFailure = FailureOf<
  NamedFailure | "pay-source.invalid" | "parameter.missing" | "parameter.invalid"
>;

/** The message of a schema check, which becomes the message of the zod issue. */
export type IssueMessage =
  NamedFailure | ParameterRule | "pay-source.invalid" | "pay-source.unavailable" | "parameter.missing";

/** Wraps a schema builder whose limits come from the policy, and builds once per policy. */
export function perPolicy<S>(build: (policy: Policy) => S): (policy: Policy) => S {
  const cache = new WeakMap<Policy, S>();
  return (policy) => {
    const existing = cache.get(policy);
    if (existing !== undefined) return existing;
    const schema = build(policy);
    cache.set(policy, schema);
    return schema;
  };
}

/**
 * Wraps a schema builder that needs no policy, and builds at the first call.
 *
 * Building all schemas at import took a fifth of core's import time.
 */
export function lazySchema<S>(build: () => S): () => S {
  let schema: S | undefined;
  return () => (schema ??= build());
}

/**
 * Parses `raw` with `schema`.
 *
 * `null` counts as absent. Unknown members are ignored, unless the schema is strict. The failure
 * names the first missing parameter, or else the first invalid one, in the order of the schema. It
 * never contains a value of the input.
 *
 * @returns the parsed value. Fails with `parameter.missing`, `parameter.invalid`, or the failure
 *   that the schema names for its parameter.
 * @example
 * ```ts
 * import { getOrder, getOrderInput, parseInput } from "@tillkit/core";
 *
 * const query = { bizNo: "order-1001", customerIdentity: "customer-7" };
 * const order = await parseInput(getOrderInput(ports.policy), query).asyncAndThen((input) =>
 *   getOrder(ports, "app_1", input),
 * );
 * ```
 */
export function parseInput<S extends z.ZodType>(
  schema: S,
  raw: Readonly<Record<string, unknown>>,
): Result<z.output<S>, InputFailure> {
  const present = Object.values(raw).includes(null) ? withoutNull(raw) : raw;
  const parsed = schema.safeParse(present);
  if (parsed.success) return ok(parsed.data);
  const problems = parsed.error.issues.map((issue) => ({
    parameter: formatJsonPath(pathOf(issue)),
    complaint: present[String(issue.path[0])] === undefined ? "parameter.missing" : issue.message,
  }));
  const { parameter, complaint } = problems.find((problem) => problem.complaint === "parameter.missing") ??
    problems[0] ?? { parameter: "body", complaint: "shape" };
  if (complaint === "parameter.missing") return fail("parameter.missing", { parameter });
  if (complaint === "pay-source.invalid") return fail("pay-source.invalid", { rule: "unknown" });
  if (complaint === "pay-source.unavailable") return fail("pay-source.invalid", { rule: "unavailable" });
  const failureName = NAMED_FAILURES.find((name) => name === complaint);
  if (failureName !== undefined) return failNamed(failureName);
  return fail("parameter.invalid", { parameter, rule: isRule(complaint) ? complaint : "shape" });
}

/**
 * Returns the path of the value that an issue is about.
 *
 * For an unknown member of a strict schema, it is the path of this member.
 */
function pathOf(issue: z.core.$ZodIssue): readonly PropertyKey[] {
  return issue.code === "unrecognized_keys" ? [...issue.path, ...issue.keys.slice(0, 1)] : issue.path;
}

function withoutNull(raw: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(raw).filter(([, value]) => value !== null));
}

function failNamed(name: NamedFailure): Result<never, FailureOf<NamedFailure>> {
  return fail<NamedFailure>(name);
}

function isRule(text: string): text is ParameterRule {
  return Object.hasOwn(PARAMETER_RULES, text);
}

/**
 * Text of 1 to `maxLength` characters, well-formed Unicode without control characters.
 *
 * For text that is compared with stored text. For text that is stored, use {@link nonBlankText}.
 */
export function singleLineText(maxLength: number) {
  return wellFormedText()
    .min(1, issue("parameter.missing"))
    .refine((text) => isAtMost(text, maxLength), issue("length"))
    .refine((text) => !hasControlCharacter(text), issue("control-characters"))
    .meta(textLimit(maxLength));
}

/** Like {@link singleLineText}, with at least one visible character. */
export function nonBlankText(maxLength: number) {
  return singleLineText(maxLength).refine((text) => !isBlank(text), issue("blank"));
}

/** Returns whether `text` has at most `maxLength` characters. */
export function isAtMost(text: string, maxLength: number): boolean {
  // Counting characters takes longer than `length`, which is never less than their number.
  return text.length <= maxLength || [...text].length <= maxLength;
}

/**
 * The JSON Schema of a text of at most `maxLength` characters, for `.meta`.
 *
 * zod cannot derive the limit of a check that is a function. A schema with such a check declares
 * its limit with this function, so that the OpenAPI document contains it.
 */
export function textLimit(maxLength: number) {
  return { type: "string", maxLength } as const;
}

/** Like {@link singleLineText}, but optional. The empty text counts as absent. */
export function singleLineTextOrEmpty(maxLength: number) {
  return optionalText(singleLineText(maxLength), maxLength);
}

/** Like {@link nonBlankText}, but optional. The empty text counts as absent. */
export function nonBlankTextOrEmpty(maxLength: number) {
  return optionalText(nonBlankText(maxLength), maxLength);
}

function optionalText(text: z.ZodType<string>, maxLength: number) {
  return z
    .union([z.literal("").transform(() => undefined), text], { error: unionComplaint })
    .meta(textLimit(maxLength))
    .optional();
}

/**
 * One of `values`, or `fallback` for the empty text.
 *
 * @param fallback - `undefined` if the empty text counts as absent.
 */
export function oneOfOrEmpty<const V extends string, const F>(
  values: readonly V[],
  fallback: F,
  complaint: IssueMessage,
) {
  const empty = z.literal("").transform(() => fallback);
  return z
    .union([empty, z.enum(values, issue(complaint))], { error: unionComplaint })
    .meta({ type: "string", enum: [...values] });
}

/**
 * A whole number from 0 to `most`.
 *
 * @param most - Defaults to the largest count, 10 000 000 000.
 */
export function naturalNumber(most: number = LARGEST_COUNT) {
  return z.int(issue("natural-number")).min(0, issue("natural-number")).max(most, issue("too-large"));
}

/** Text without unpaired surrogates, so that UTF-8 can encode it. */
export function wellFormedText() {
  return z.string(issue("text")).refine((text) => text.isWellFormed(), issue("unicode"));
}

/** A required `customerIdentity` for a search. It may be longer than the policy now allows. */
export function customerIdentity() {
  return singleLineText(LONGEST_KEY);
}

/** Returns the typed message of a check. */
export function issue(complaint: IssueMessage): { readonly error: IssueMessage } {
  return { error: complaint };
}

// A union reports the issues of all its branches. The last branch is the relevant one.
function unionComplaint(issue: {
  readonly errors?: readonly (readonly { readonly message: string }[])[];
}): string {
  return issue.errors?.at(-1)?.[0]?.message ?? "shape";
}
