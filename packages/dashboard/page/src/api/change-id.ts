/**
 * Creates the id of a change.
 *
 * Does not use `crypto.randomUUID`, which browsers offer only over HTTPS and on localhost.
 */
export function newChangeId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(24));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
