/**
 * Returns whether a thrown value is an error, also one of another realm.
 *
 * Jest runs each test in a realm of its own. There the errors of Node, such as `ENOENT`, are no
 * instances of the test's `Error`.
 *
 * @returns whether the value has the members of an `Error`.
 * @example
 * ```ts
 * import { isError } from "@tillkit/core/errors";
 *
 * console.log(isError(new TypeError("no")), isError({ message: "no" })); // true false
 * ```
 */
export function isError(thrown: unknown): thrown is Error {
  return (
    thrown instanceof Error ||
    /^\[object (?:Error|DOMException)\]$/.test(Object.prototype.toString.call(thrown))
  );
}

/**
 * Returns the `code` of an error, also of one of another realm.
 *
 * @returns the code, such as `ENOENT` of Node or a SQLSTATE of PostgreSQL. `undefined` if it is no
 *   text.
 * @example
 * ```ts
 * import { errorCode } from "@tillkit/core/errors";
 *
 * console.log(errorCode(new Error("no"))); // undefined
 * ```
 */
export function errorCode(thrown: unknown): string | undefined {
  return isError(thrown) && "code" in thrown && typeof thrown.code === "string" ? thrown.code : undefined;
}

/** A code of Node, such as `ECONNREFUSED`, or one of PostgreSQL, such as `23505`. */
const HARMLESS_CODE = /^(?:[A-Z][A-Z_]{0,60}|[0-9A-Z]{5})$/;

/**
 * Returns the `code` of an error for a log. Leaves out a text that could contain personal data.
 *
 * @returns the code if it has the form of a code of Node or of PostgreSQL.
 * @example
 * ```ts
 * import { harmlessErrorCode } from "@tillkit/core/errors";
 *
 * console.log(harmlessErrorCode(Object.assign(new Error("no"), { code: "EACCES" }))); // EACCES
 * ```
 */
export function harmlessErrorCode(thrown: unknown): string | undefined {
  const code = errorCode(thrown);
  return code !== undefined && HARMLESS_CODE.test(code) ? code : undefined;
}

/**
 * Returns the errors that an `AggregateError` contains, also one of another realm.
 *
 * @returns the errors, none for any other value.
 * @example
 * ```ts
 * import { innerErrors } from "@tillkit/core/errors";
 *
 * console.log(innerErrors(new AggregateError([new Error("no")])).length); // 1
 * ```
 */
export function innerErrors(thrown: unknown): readonly unknown[] {
  return isError(thrown) && "errors" in thrown && Array.isArray(thrown.errors) ? thrown.errors : [];
}
