import { isError } from "@tillkit/core/errors";

/**
 * Returns the reply to a request that met a defect.
 *
 * It names the kind of the error only: the message may contain a key or a phone number.
 */
export function defectText(cause: unknown): string {
  return `The sandbox failed: ${isError(cause) ? cause.constructor.name : typeof cause}.`;
}
