/**
 * Returns `name` if it is a valid name of an event handler, and throws otherwise.
 *
 * A name has 1 to 64 letters, digits, `.`, `_` and `-`, and begins with a letter or digit.
 *
 * @returns the name.
 * @throws TypeError if the name is not valid.
 * @example
 * ```ts
 * import { checkedHandlerName } from "@tillkit/core/ports";
 *
 * const name = checkedHandlerName("mailer");
 * ```
 */
export function checkedHandlerName(name: string): string {
  if (isHandlerName(name)) return name;
  throw new TypeError(
    `"${name}" cannot be the name of an event handler: use 1 to 64 letters, digits, ".", "_" and "-", and begin with a letter or digit.`,
  );
}

/** Returns whether `name` can be the name of an event handler. */
function isHandlerName(name: string): boolean {
  return /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/.test(name);
}
