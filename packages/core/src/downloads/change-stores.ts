import type { ResultAsync } from "neverthrow";
import * as z from "zod";
import type { AuditAction } from "../audit/audit-action.js";
import { auditEntryIfAny, type OperatorCommand } from "../operators/operator-command.js";
import type { Ports } from "../ports.js";
import { attempt } from "../shared/attempt.js";
import {
  type InputFailure,
  issue,
  lazySchema,
  nonBlankText,
  parseInput,
  singleLineText,
} from "../shared/input.js";
import { isReservedStore } from "./reserved-store.js";
import {
  type ChangedStores,
  DAYS_IN_BOTH,
  type StoreChange,
  type StoreChangeFailure,
} from "./store-change.js";

const newName = () => nonBlankText(64).refine((name) => !isReservedStore(name), issue("reserved-store"));

/**
 * The parameters of {@link changeStores}, by kind.
 *
 * A new name has 1 to 64 characters, is not blank, and is not `All Stores`.
 */
const changeInput = lazySchema(() =>
  z.discriminatedUnion("kind", [
    z.object({ kind: z.literal("add"), store: newName() }),
    z.object({ kind: z.literal("alias"), alias: newName(), store: knownName() }),
    z.object({ kind: z.literal("rename"), store: knownName(), to: newName() }),
    z.object({ kind: z.literal("merge"), store: knownName(), into: knownName(), days: z.enum(DAYS_IN_BOTH) }),
  ]),
);

/** The name of a stored store, which an import may have made longer than a new name. */
function knownName() {
  return singleLineText(2_000);
}

const ACTIONS = {
  add: "store.add",
  alias: "store.alias",
  rename: "store.rename",
  merge: "store.merge",
} as const satisfies Record<StoreChange["kind"], AuditAction>;

/** The ports that {@link changeStores} uses. */
export type ChangeStoresPorts = Pick<Ports, "downloads" | "clock">;

/**
 * Adds, renames or merges a store, or gives it another name.
 *
 * Safe to repeat: a repetition changes nothing. Later imports and additions under an old name count
 * for the store. A merge changes the reports of every app. A `dryRun` only returns what the change
 * would do.
 *
 * @param by - the operator. If set, the audit log gets an entry in the same transaction. The entry
 *   of a merge has the counts of the days that both stores had.
 * @returns what changed. Fails with `store.unknown`, with `store.exists` if a name belongs to
 *   another store, with `store.too-many`, with `store.days-in-both`, and with `count.invalid` if a
 *   sum is too large.
 * @example
 * ```ts
 * import { changeStores } from "@tillkit/core/operators";
 *
 * const merge = { kind: "merge", store: "HUAWEI", into: "华为", days: "refuse" } as const;
 * const merged = await changeStores(ports, merge);
 * if (merged.isErr()) console.error(merged.error.name);
 * ```
 */
export function changeStores(
  ports: ChangeStoresPorts,
  change: StoreChange,
  by?: OperatorCommand,
  { dryRun = false }: { readonly dryRun?: boolean } = {},
): ResultAsync<ChangedStores, InputFailure | StoreChangeFailure> {
  return attempt(async () => {
    const parsed = parseInput(changeInput(), { ...change });
    if (parsed.isErr()) return parsed;
    const { kind, ...detail } = parsed.value;
    const subject = `store:${change.store}`;
    const audit = auditEntryIfAny(ports, by, {
      action: ACTIONS[kind],
      subject,
      detail: JSON.stringify(detail),
    });
    return ports.downloads.changeStores(parsed.value, dryRun, audit);
  });
}
