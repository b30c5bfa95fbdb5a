import { ok, type ResultAsync } from "neverthrow";
import { fail, type FailureOf, type StorageFailureName } from "../errors/failure.js";
import { auditEntryIfAny, type OperatorCommand } from "../operators/operator-command.js";
import type { Ports } from "../ports.js";
import { attempt } from "../shared/attempt.js";
import type { App } from "./app.js";

/**
 * Disables an app: every call with its credentials fails.
 *
 * Takes effect at once in this process and within a second in others. Existing orders continue:
 * Tillkit still accepts the wallets' notifications, settles the app's orders and continues its
 * refunds. Fails with `credentials.invalid` if the app does not exist.
 *
 * @param by - the operator. If set, the audit log gets an entry in the same transaction.
 * @returns the disabled app.
 * @example
 * ```ts
 * import { disableApp } from "@tillkit/core/operators";
 *
 * const disabled = await disableApp(ports, "app_1");
 * ```
 */
export function disableApp(
  ports: Pick<Ports, "apps" | "clock">,
  appId: string,
  by?: OperatorCommand,
): ResultAsync<App, FailureOf<"credentials.invalid" | StorageFailureName>> {
  return setDisabled(ports, appId, true, by);
}

/**
 * Enables a disabled app again. Its secrets are unchanged.
 *
 * Fails with `credentials.invalid` if the app does not exist.
 *
 * @param by - the operator. If set, the audit log gets an entry in the same transaction.
 * @returns the enabled app.
 * @example
 * ```ts
 * import { enableApp } from "@tillkit/core/operators";
 *
 * const enabled = await enableApp(ports, "app_1");
 * ```
 */
export function enableApp(
  ports: Pick<Ports, "apps" | "clock">,
  appId: string,
  by?: OperatorCommand,
): ResultAsync<App, FailureOf<"credentials.invalid" | StorageFailureName>> {
  return setDisabled(ports, appId, false, by);
}

function setDisabled(
  ports: Pick<Ports, "apps" | "clock">,
  appId: string,
  disabled: boolean,
  by: OperatorCommand | undefined,
) {
  return attempt(async () => {
    const action = disabled ? "app.disable" : "app.enable";
    const audit = auditEntryIfAny(ports, by, { action, subject: `app:${appId}`, appId });
    const app = await ports.apps.setDisabled(appId, disabled, ports.clock.now(), audit);
    if (app.isErr()) return app;
    return app.value === undefined ? fail("credentials.invalid") : ok(app.value);
  });
}
