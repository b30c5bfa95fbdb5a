import type { Result } from "neverthrow";
import { ERROR_CATALOG } from "./catalog.js";
import type { Failure } from "./failure.js";
import { failureMessage } from "./message.js";

/** What a failure may have. Except `name`, the members are sentences for a person. */
interface DescribedFailure {
  readonly name?: string;
  readonly message?: string;
  readonly remedy?: string;
  readonly detail?: string;
}

/**
 * Returns the value of a result, or throws its failure.
 *
 * For scripts, tests and the start of a host, which cannot continue after a failure. In the
 * handler of a request, use `match`.
 *
 * @param result - A result, or a promise of one such as `ResultAsync`.
 * @returns the value, or a promise of it if `result` is a promise.
 * @throws Error whose message has the name of the failure, what is wrong and what to do. For a list
 *   of failures, the message names each of them. The failure is its `cause`.
 * @example
 * ```ts
 * import { createApp, orThrow } from "@tillkit/core";
 *
 * const { app, appSecret } = await orThrow(createApp(ports, { name: "Notes" }));
 * ```
 */
export function orThrow<T, F>(result: Result<T, F>): T;
export function orThrow<T, F>(result: PromiseLike<Result<T, F>>): Promise<T>;
export function orThrow<T>(result: Result<T, unknown> | PromiseLike<Result<T, unknown>>): T | Promise<T> {
  return "then" in result ? valueLater(result) : valueOf(result);
}

async function valueLater<T>(result: PromiseLike<Result<T, unknown>>): Promise<T> {
  return valueOf(await result);
}

function valueOf<T>(result: Result<T, unknown>): T {
  if (result.isOk()) return result.value;
  throw new Error(textOf(result.error), { cause: result.error });
}

/** Describes a failure. Uses only members that never contain a secret. */
function textOf(failure: unknown): string {
  if (typeof failure === "string") return failure;
  if (Array.isArray(failure)) return failure.map(textOf).join("; ");
  if (typeof failure !== "object" || failure === null) return "failed";
  const { name, message, remedy, detail }: DescribedFailure = failure;
  const sentences = isInCatalog(failure)
    ? [`${failureMessage(failure, "en")}.`, remedy ?? detail ?? ERROR_CATALOG[failure.name].advice]
    : [message, remedy];
  const description = sentences.filter((sentence) => sentence !== undefined).join(" ");
  return [name, description].filter(Boolean).join(": ") || "failed";
}

/** Returns whether the catalog has the failure. Failures of hosts and adapters have other names. */
function isInCatalog(failure: DescribedFailure): failure is Failure {
  return failure.name !== undefined && Object.hasOwn(ERROR_CATALOG, failure.name);
}
