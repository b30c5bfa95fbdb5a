import type { ResultAsync } from "neverthrow";
import type { StorageFailure } from "../errors/failure.js";
import type { Ports } from "../ports.js";
import { attempt } from "../shared/attempt.js";
import type { PayTool } from "./pay-tool.js";

/**
 * Returns the app's current pay tools.
 *
 * Show real users only pay tools with the `signStatus` `OK` and the `appEnv` `PROD`.
 *
 * @returns the pay tools without their credentials.
 * @example
 * ```ts
 * import { listPayTools } from "@tillkit/core/operators";
 *
 * const payTools = await listPayTools(ports, "app_1");
 * ```
 */
export function listPayTools(
  ports: Pick<Ports, "payTools">,
  appId: string,
): ResultAsync<readonly PayTool[], StorageFailure> {
  return attempt(async () => {
    return ports.payTools.list(appId);
  });
}
