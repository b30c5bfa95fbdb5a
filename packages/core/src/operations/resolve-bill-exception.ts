import { err, ok, type ResultAsync } from "neverthrow";
import * as z from "zod";
import type { BillException } from "../bills/bill-exception.js";
import type { StorageFailure } from "../errors/failure.js";
import { auditEntryIfAny, type Origin } from "../operators/operator-command.js";
import type { Ports } from "../ports.js";
import { singleLineText, nonBlankText, lazySchema } from "../shared/input.js";
import { attempt } from "../shared/attempt.js";

/** The parameters of {@link resolveBillException}: the id, the operator and a note. */
export const resolveBillExceptionInput = lazySchema(() =>
  z
    .object({ id: singleLineText(64), operator: nonBlankText(64), note: nonBlankText(500) })
    .brand<"ResolveBillExceptionInput">(),
);
/** Valid parameters, the output of `parseInput(resolveBillExceptionInput(), …)`. */
export type ResolveBillExceptionInput = z.output<ReturnType<typeof resolveBillExceptionInput>>;

/** Why no exception was resolved. */
export type ResolveBillExceptionFailure =
  | { readonly name: "bill-exception.not-found" }
  | {
      readonly name: "bill-exception.not-open";
      /** The unchanged exception. */
      readonly exception: BillException;
    };

/**
 * Marks an OPEN bill exception as RESOLVED by an operator.
 *
 * It moves no money and changes no order. A later run over the same bill keeps it RESOLVED unless
 * the amounts have changed.
 *
 * @param origin - where the command comes from. With it, the audit log gets an entry in the same
 *   transaction.
 * @returns the RESOLVED exception.
 * @example
 * ```ts
 * import { parseInput, resolveBillException, resolveBillExceptionInput } from "@tillkit/core";
 *
 * const resolution = { id: "0123456789abcdef01234567", operator: "alex", note: "settled" };
 * const parsed = parseInput(resolveBillExceptionInput(), resolution);
 * const resolved = await parsed.asyncAndThen((input) => resolveBillException(ports, input));
 * ```
 */
export function resolveBillException(
  ports: Pick<Ports, "billExceptions" | "clock">,
  { id, operator, note }: ResolveBillExceptionInput,
  origin?: Origin,
): ResultAsync<BillException, ResolveBillExceptionFailure | StorageFailure> {
  return attempt(async () => {
    const by = origin && { ...origin, operator, reason: note };
    const facts = { action: "bill-exception.resolve", subject: `bill-exception:${id}` } as const;
    const audit = auditEntryIfAny(ports, by, facts);
    const resolution = { operator, note, at: ports.clock.now() };
    const resolvedResult = await ports.billExceptions.resolve(id, resolution, audit);
    if (resolvedResult.isErr()) return resolvedResult;
    const resolved = resolvedResult.value;
    if (resolved === undefined) {
      return err<never, ResolveBillExceptionFailure>({ name: "bill-exception.not-found" });
    }
    const { moved, exception } = resolved;
    return moved
      ? ok(exception)
      : err<never, ResolveBillExceptionFailure>({ name: "bill-exception.not-open", exception });
  });
}
