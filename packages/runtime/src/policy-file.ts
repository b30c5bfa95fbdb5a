import { defaultPolicy, type Policy, policyProblems } from "@tillkit/core";
import { jsonProblemText, parseStrictJson } from "@tillkit/core/text";
import { err, ok, type Result, type ResultAsync } from "neverthrow";
import { type FileFailure, readTextFile } from "./text-file.js";

/** The reason why a policy file cannot be used. `message` says what to do. */
export interface PolicyFailure {
  /**
   * The kind of failure.
   *
   * - `policy.missing`: the file does not exist.
   * - `policy.invalid`: the file is not a policy.
   * - `policy.unavailable`: the path is not a regular file, or the file system returned another
   *   error.
   */
  readonly name: `policy.${"missing" | "invalid" | "unavailable"}`;
  readonly message: string;
}

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
  const policy = { ...defaultPolicy, ...changes.value };
  const problems = policyProblems(policy).map(({ path, rule }) => `${path} ${rule}`);
  return problems.length === 0 ? ok(policy) : err(problems);
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
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
