import type { ResultAsync } from "neverthrow";
import type { StorageFailure } from "../errors/failure.js";
import type { Ports } from "../ports.js";
import { attempt } from "../shared/attempt.js";
import type { PayTool } from "./pay-tool.js";

/** The channels the app can take payments with. Show a channel to real users when it is `OK` and `PROD`. Source: GET /payTools.json. */
export function listPayTools(
  ports: Pick<Ports, "payTools">,
  appId: string,
): ResultAsync<readonly PayTool[], StorageFailure> {
  return attempt(async () => {
    return ports.payTools.list(appId);
  });
}
