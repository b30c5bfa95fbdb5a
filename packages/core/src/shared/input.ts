import { ok, type Result } from "neverthrow";
import * as z from "zod";
import { fail, type FailureOf } from "../errors/failure.js";
import { PARAMETER_RULES, type ParameterRule } from "../errors/words.js";
import type { Policy } from "../policy.js";
import { LARGEST_COUNT } from "./limits.js";
import { hasControlCharacter } from "./text.js";

/** Failures of reading an input that need no words beside their name; a schema names one as the message of a check. */
const NAMED_FAILURES = [
  "amount.invalid",
  "pay-channel.invalid",
  "source-from.invalid",
  "attach-data.too-large",
  "page.invalid",
] as const;
type NamedFailure = (typeof NAMED_FAILURES)[number];

/** Every failure of reading an input. */
export type InputFailure = FailureOf<
  NamedFailure | "pay-source.invalid" | "parameter.missing" | "parameter.invalid"
>;

/** What a schema's check says when it fails: the message of the zod issue. */
export type Complaint =
  NamedFailure | ParameterRule | "pay-source.invalid" | "pay-source.unavailable" | "parameter.missing";

/** A schema whose limits come from the policy, built once per policy. */
export function perPolicy<S>(build: (policy: Policy) => S): (policy: Policy) => S {
  const built = new WeakMap<Policy, S>();
  return (policy) => {
    const known = built.get(policy) ?? build(policy);
    built.set(policy, known);
    return known;
  };
}

/**
 * A schema without limits of the policy, built when it is first asked for: building them all took a fifth of the time in which the
 * core was imported.
 */
export function onDemand<S>(build: () => S): () => S {
  let built: S | undefined;
  return () => (built ??= build());
}

/**
 * Reads `raw` by `schema`. `null` counts as absent and unknown members are ignored. The first missing parameter is named before
 * the first wrong one, each in the order of the schema. A message never holds a value that was sent.
 */
export function parseInput<S extends z.ZodType>(
  schema: S,
  raw: Readonly<Record<string, unknown>>,
): Result<z.output<S>, InputFailure> {
  const present = Object.values(raw).includes(null) ? withoutNull(raw) : raw;
  const parsed = schema.safeParse(present);
  if (parsed.success) return ok(parsed.data);
  const problems = parsed.error.issues.map((issue) => ({
    parameter: String(issue.path[0]),
    complaint: present[String(issue.path[0])] === undefined ? "parameter.missing" : issue.message,
  }));
  const { parameter, complaint } = problems.find((problem) => problem.complaint === "parameter.missing") ??
    problems[0] ?? { parameter: "body", complaint: "shape" };
  if (complaint === "parameter.missing") return fail("parameter.missing", { parameter });
  if (complaint === "pay-source.invalid") return fail("pay-source.invalid", { rule: "unknown" });
  if (complaint === "pay-source.unavailable") return fail("pay-source.invalid", { rule: "unavailable" });
  const named = NAMED_FAILURES.find((name) => name === complaint);
  if (named !== undefined) return failNamed(named);
  return fail("parameter.invalid", { parameter, rule: isRule(complaint) ? complaint : "shape" });
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

/** Text of 1 to `maxLength` characters, well-formed and without control characters. */
export function line(maxLength: number) {
  return wellFormed()
    .min(1, complain("parameter.missing"))
    .refine((text) => [...text].length <= maxLength, complain("length"))
    .refine((text) => !hasControlCharacter(text), complain("control-characters"))
    .meta(textLimit(maxLength));
}

/**
 * The JSON Schema of a text of at most `maxLength` characters, for `.meta`.
 *
 * zod cannot read a limit out of a check that is a function. A schema with such a check states its
 * limit with this, so that the OpenAPI document has the limit.
 */
export function textLimit(maxLength: number) {
  return { type: "string", maxLength } as const;
}

/** Like `line`, but it may be absent, and empty counts as absent. */
export function optionalLine(maxLength: number) {
  return z
    .union([z.literal("").transform(() => undefined), line(maxLength)], { error: unionComplaint })
    .meta(textLimit(maxLength))
    .optional();
}

/** A whole number from 0 to `most`, by default the largest count. */
export function naturalNumber(most: number = LARGEST_COUNT) {
  return z
    .int(complain("natural-number"))
    .min(0, complain("natural-number"))
    .max(most, complain("too-large"));
}

/** Text in which every surrogate has its partner, so that it survives UTF-8. */
export function wellFormed() {
  return z.string(complain("text")).refine((text) => text.isWellFormed(), complain("unicode"));
}

/** A required `customerIdentity`. */
export function customerIdentity(policy: Policy) {
  return line(policy.maxCustomerIdentityLength);
}

/** The message of a check, typed. */
export function complain(complaint: Complaint): { readonly error: Complaint } {
  return { error: complaint };
}

// A union reports the problems of all its branches; the last branch is the one that was meant.
function unionComplaint(issue: {
  readonly errors?: readonly (readonly { readonly message: string }[])[];
}): string {
  return issue.errors?.at(-1)?.[0]?.message ?? "shape";
}
