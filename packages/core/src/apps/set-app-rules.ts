import { ok, type ResultAsync } from "neverthrow";
import * as z from "zod";
import { fail, type FailureOf, type StorageFailureName } from "../errors/failure.js";
import { auditEntryIfAny, type OperatorCommand } from "../operators/operator-command.js";
import type { Ports } from "../ports.js";
import { attempt } from "../shared/attempt.js";
import { type InputFailure, lazySchema, parseInput } from "../shared/input.js";
import type { App, AppRules } from "./app.js";

const check = () => z.boolean().exactOptional();
const appRules = lazySchema(() =>
  z.object({
    accountBased: check(),
    identityChecks: z
      .object({
        email: check(),
        phone: check(),
        card: check(),
        identityCard: check(),
        walletAccount: check(),
        bizNo: check(),
      })
      .exactOptional(),
  }),
);

/**
 * Changes the account mode and the identity checks of an app. Absent rules stay as they are.
 *
 * Takes effect at once in this process and within a second in others. Existing orders keep their
 * `customerIdentity`. If the app now has customer accounts, every new order needs a
 * `customerIdentity`. Fails with `credentials.invalid` if the app does not exist.
 *
 * @param by - the operator. If set, the audit log gets an entry in the same transaction.
 * @returns the changed app.
 * @example
 * ```ts
 * import { setAppRules } from "@tillkit/core/operators";
 *
 * const changed = await setAppRules(ports, "app_1", { identityChecks: { card: false } });
 * ```
 * @see {@link https://github.com/tillkit/tillkit/blob/main/docs/decisions/personal-data.md |
 *   Orders are checked for personal data, and customers can be erased}
 */
export function setAppRules(
  ports: Pick<Ports, "apps" | "clock">,
  appId: string,
  rules: AppRules,
  by?: OperatorCommand,
): ResultAsync<App, InputFailure | FailureOf<"credentials.invalid" | StorageFailureName>> {
  return attempt(async () => {
    const parsed = parseInput(appRules(), { ...rules });
    if (parsed.isErr()) return parsed;
    const detail = JSON.stringify(parsed.value);
    const audit = auditEntryIfAny(ports, by, { action: "app.rules", subject: `app:${appId}`, appId, detail });
    const app = await ports.apps.setRules(appId, parsed.value, ports.clock.now(), audit);
    if (app.isErr()) return app;
    return app.value === undefined ? fail("credentials.invalid") : ok(app.value);
  });
}
