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
