import { err, ok, type ResultAsync } from "neverthrow";
import * as z from "zod";
import type { BillException } from "../bills/bill-exception.js";
import type { StorageFailure } from "../errors/failure.js";
import type { Ports } from "../ports.js";
import { line, onDemand } from "../shared/input.js";
import { attempt } from "../shared/attempt.js";

/** What an operator says to resolve an exception of a bill: who, and what became of it. */
export const resolveBillExceptionInput = onDemand(() =>
  z.object({ id: line(64), operator: line(64), note: line(500) }).brand<"ResolveBillExceptionInput">(),
);
/** A valid resolution: what `parseInput(resolveBillExceptionInput(), …)` returns. */
export type ResolveBillExceptionInput = z.output<ReturnType<typeof resolveBillExceptionInput>>;

/** Why nothing was resolved. */
export type ResolveBillExceptionFailure =
  | { readonly name: "bill-exception.not-found" }
  | {
      readonly name: "bill-exception.not-open";
      /** As it is. */
      readonly exception: BillException;
    };

/**
 * Closes an exception of a bill, for an operator who has seen to it: it moves no money and no order. It stays closed when the same bill is compared again, unless the
 * amounts are others then.
 */
export function resolveBillException(
  ports: Pick<Ports, "billExceptions" | "clock">,
  { id, operator, note }: ResolveBillExceptionInput,
): ResultAsync<BillException, ResolveBillExceptionFailure | StorageFailure> {
  return attempt(async () => {
    const resolvedResult = await ports.billExceptions.resolve(id, { operator, note, at: ports.clock.now() });
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
