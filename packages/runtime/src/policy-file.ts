import { defaultPolicy, type Policy, policyProblems } from "@tillkit/core";
import { formatJsonPath, jsonProblemText, parseStrictJson } from "@tillkit/core/text";
import { err, ok, type Result, type ResultAsync } from "neverthrow";
import * as z from "zod";
import { type FileFailure, readTextFile } from "./text-file.js";

/** The reason why a policy file cannot be used. `message` says what to do. */
export interface PolicyFailure {
  /**
   * The kind of failure.
   *
   * - `policy.missing`: the file does not exist.
   * - `policy.invalid`: the file is not a policy.
   * - `policy.unavailable`: the file system returned another error.
   */
  readonly name: `policy.${"missing" | "invalid" | "unavailable"}`;
  readonly message: string;
}

const text = z.string("must be text");
const number = z.number("must be a number");
const ages = z
  .array(number, "must be a list of numbers")
  .refine((list) => list.every((age, index) => index === 0 || age > (list[index - 1] ?? 0)), {
    error: "must be in ascending order",
  });
const timeZone = text.refine(isTimeZone, "must be an IANA time zone, such as Asia/Shanghai");
const country = text.regex(/^[A-Z]{2}$/, "must be two capital letters, such as CN");
const statusMode = z.enum(["always-200", "standard"], "must be always-200 or standard");
const channels = z.strictObject({ WALLET_A: text, WALLET_B: text }, "must be an object");
const testNumber = z.strictObject(
  { mobileNo: text, authCode: text, expiresAt: number.exactOptional() },
  "must be an object",
);

// The compiler rejects a missing field, and a field that `Policy` does not have.
// `policyProblems` of core checks the ranges.
const fields = {
  timeZone,
  defaultCountry: country,
  statusMode,
  sourceFromTokens: z.array(text, "must be a list of texts"),
  payChannelNames: channels,
  maxRequestBytes: number,
  maxAmount: number,
  maxBizNoLength: number,
  maxGoodsTitleLength: number,
  maxCustomerIdentityLength: number,
  maxPayerIdLength: number,
  maxCustomerNameLength: number,
  maxServiceNoLength: number,
  maxAttachDataBytes: number,
  defaultPageSize: number,
  maxPageSize: number,
  orderTtl: number,
  expiryMargin: number,
  querySchedule: ages,
  walletDeadline: number,
  refreshInterval: number,
  refreshDeadline: number,
  workLease: number,
  refundSchedule: ages,
  refundOverdue: number,
  refundApprovalOver: number.exactOptional(),
  supportRefundLimit: number,
  approverCoolingOff: number,
  unsignedRefusalDelay: number,
  notificationSkew: number,
  eventDeadline: number,
  eventTries: number,
  eventRetryPauses: ages,
  approvalOverdue: number,
  billExceptionOverdue: number,
  billDayOverdue: number,
  alertPauses: ages,
  billDeadline: number,
  credentialWarning: number,
  maxUnreadableLines: number,
  smsPerDay: number,
  smsCooldown: number,
  smsPerHourPerApp: number,
  smsPerDayPerApp: number,
  smsPerHourPerHost: number,
  smsPerDayPerHost: number,
  smsCountries: z.record(country, number, "must be an object of countries and numbers"),
  smsBlockedPrefixes: z.array(text, "must be a list of texts"),
  codeDigits: number,
  codeTtl: number,
  codeTries: number,
  codeTriesPerDay: number,
  wrongCodesPerHourPerApp: number,
  testNumbers: z.array(testNumber, "must be a list"),
  sessionTtl: number,
  maxSessions: number,
  maxReportDays: number,
  codeRetention: number,
  quotaRetention: number,
  sessionRetention: number,
  customerNameRetention: number.exactOptional(),
  billLineRetention: number,
  eventDeliveryRetention: number,
  housekeepingRows: number,
  housekeepingSteps: number,
} satisfies { readonly [Name in keyof Policy]: z.ZodType<Policy[Name]> };

const policyFile = z.strictObject(fields);

/**
 * Reads the policy file at `path`: a JSON object with the fields of `Policy` to change.
 *
 * Durations are milliseconds and amounts are cents. A missing field has its default.
 * Give the same file to every host and to the command line (`TILLKIT_POLICY_FILE`).
 *
 * @returns the policy. Fails with `policy.invalid` if a name is unknown, or a value has the wrong
 *   type or is out of range. The message names every problem with its path.
 * @example
 * ```ts
 * import { readPolicy } from "@tillkit/runtime";
 *
 * const read = await readPolicy("/etc/shop/policy.json");
 * if (read.isErr()) throw new Error(read.error.message);
 * const policy = read.value;
 * ```
 */
export function readPolicy(path: string): ResultAsync<Policy, PolicyFailure> {
  return readTextFile(path, { what: "policy file" })
    .mapErr(policyFailure)
    .andThen((content) =>
      parsePolicy(content).mapErr((problems): PolicyFailure => ({
        name: "policy.invalid",
        message: `The policy file ${path} is not valid: ${problems.join("; ")}. The reference describes every field: docs/reference/policy.md.`,
      })),
    );
}

function parsePolicy(content: string): Result<Policy, readonly string[]> {
  const changes = parseStrictJson(content);
  if (changes.isErr()) return err(changes.error.map(jsonProblemText));
  if (!isObject(changes.value)) return err(["the file must be one object"]);
  const parsed = policyFile.safeParse({ ...defaultPolicy, ...changes.value });
  const issues = parsed.success ? [] : parsed.error.issues;
  // Wrong types must not hide values that are out of range.
  const wrong = new Set(issues.flatMap(({ path: [name] }) => (name === undefined ? [] : [name])));
  const usable = Object.entries(changes.value).filter(
    ([name]) => Object.hasOwn(fields, name) && !wrong.has(name),
  );
  const policy = policyFile.parse({ ...defaultPolicy, ...Object.fromEntries(usable) });
  const problems = [
    ...issues.flatMap(problemsOf),
    ...policyProblems(policy).map(({ path, rule }) => `${path} ${rule}`),
  ];
  return problems.length === 0 ? ok(policy) : err(problems);
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function problemsOf(issue: z.core.$ZodIssue): readonly string[] {
  if (issue.code !== "unrecognized_keys") return [`${formatJsonPath(issue.path)} ${issue.message}`];
  return issue.keys.map((key) => `${formatJsonPath([...issue.path, key])} is not a known name`);
}

function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat("en", { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

function policyFailure({ name, message }: FileFailure): PolicyFailure {
  switch (name) {
    case "file.missing":
      return { name: "policy.missing", message };
    case "file.invalid":
      return { name: "policy.invalid", message };
    case "file.exposed":
    case "file.unavailable":
      return { name: "policy.unavailable", message };
  }
}
