import { ok, type ResultAsync } from "neverthrow";
import * as z from "zod";
import type { UnknownAppFailure } from "../apps/unknown-app.js";
import type { StorageFailure } from "../errors/failure.js";
import type { Ports } from "../ports.js";
import {
  complain,
  type InputFailure,
  line,
  naturalNumber,
  onDemand,
  optionalLine,
  parseInput,
} from "../shared/input.js";
import { newId } from "../shared/random.js";
import { attempt } from "../shared/attempt.js";
import type { DownloadsClient } from "./daily-count.js";

/** What an operator says of a new client. */
export interface CreateDownloadsClientInput {
  /** The app whose counts it may read. */
  readonly appId: string;
  /** Requests per business day, from 0 to 10 000 000 000; 0 lets the client wait. */
  readonly dailyLimit: number;
  /** 1 to 64 characters without a comma, chosen by the operator, or made by the service. */
  readonly clientId?: string;
}

const createDownloadsClientInput = onDemand(() =>
  z.object({
    appId: line(64),
    dailyLimit: naturalNumber(),
    clientId: optionalLine(64).refine((id) => id?.includes(",") !== true, complain("comma")),
  }),
);

/** Registers a client of the downloads API. Repeating it with the same id returns the one that is there. An app that is not there gets none: `app.unknown`. */
export function createDownloadsClient(
  ports: Pick<Ports, "downloadsClients" | "clock" | "random">,
  input: CreateDownloadsClientInput,
): ResultAsync<DownloadsClient, InputFailure | UnknownAppFailure | StorageFailure> {
  return attempt(async () => {
    const parsed = parseInput(createDownloadsClientInput(), { ...input });
    if (parsed.isErr()) return parsed;
    const { appId, dailyLimit, clientId } = parsed.value;
    const clientResult = await ports.downloadsClients.insertOnce({
      clientId: clientId ?? `dlc_${newId(ports)}`,
      appId,
      dailyLimit,
      gmtCreate: ports.clock.now(),
    });
    if (clientResult.isErr()) return clientResult;
    const client = clientResult.value;
    return ok(client);
  });
}
