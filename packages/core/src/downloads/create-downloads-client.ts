import { ok, type ResultAsync } from "neverthrow";
import type { StorageFailure } from "../errors/failure.js";
import type { Ports } from "../ports.js";
import { newId } from "../shared/random.js";
import { steps } from "../shared/steps.js";
import type { DownloadsClient } from "./daily-count.js";

/** What an operator says of a new client. */
export interface CreateDownloadsClientInput {
  /** The app whose counts it may read. */
  readonly appId: string;
  /** Requests per business day. */
  readonly dailyLimit: number;
  /** Chosen by the operator, or made by the service. */
  readonly clientId?: string;
}

/** Registers a client of the downloads API. Repeating it with the same id returns the one that is there. */
export function createDownloadsClient(
  ports: Pick<Ports, "downloadsClients" | "clock" | "random">,
  { appId, dailyLimit, clientId = `dlc_${newId(ports)}` }: CreateDownloadsClientInput,
): ResultAsync<DownloadsClient, StorageFailure> {
  return steps(async function* () {
    const gmtCreate = ports.clock.now();
    return ok(yield* ports.downloadsClients.insertOnce({ clientId, appId, dailyLimit, gmtCreate }));
  });
}
