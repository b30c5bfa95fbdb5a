import { ok, type ResultAsync } from "neverthrow";
import * as z from "zod";
import type { StorageFailure } from "../errors/failure.js";
import type { Ports } from "../ports.js";
import { type InputFailure, line, onDemand, parseInput } from "../shared/input.js";
import { newId, newSecret } from "../shared/random.js";
import { attempt } from "../shared/attempt.js";
import type { App, IdentityChecks } from "./app.js";

/** What an operator says of a new app. */
export interface CreateAppInput {
  /** 1 to 64 characters. */
  readonly name: string;
  /** Default `true`. */
  readonly accountBased?: boolean;
  /** Every check is on by default. */
  readonly identityChecks?: Partial<IdentityChecks>;
}

const createAppInput = onDemand(() =>
  z.object({
    name: line(64),
    accountBased: z.boolean().default(true),
    identityChecks: z
      .object({
        email: z.boolean().default(true),
        phone: z.boolean().default(true),
        card: z.boolean().default(true),
      })
      .default({ email: true, phone: true, card: true }),
  }),
);

/** An app with its secret, which exists in clear only here. */
export interface AppWithSecret {
  readonly app: App;
  /** `sk_` and 256 random bits. Show it once; only its hash is stored. */
  readonly appSecret: string;
}

/** Registers a caller. Source: BEHAVIOUR, "Authentication". */
export function createApp(
  ports: Pick<Ports, "apps" | "clock" | "digest" | "random">,
  input: CreateAppInput,
): ResultAsync<AppWithSecret, InputFailure | StorageFailure> {
  return attempt(async () => {
    const saidResult = parseInput(createAppInput(), { ...input });
    if (saidResult.isErr()) return saidResult;
    const said = saidResult.value;
    const now = ports.clock.now();
    const appSecret = newAppSecret(ports);
    const appResult = await ports.apps.insertOnce({
      ...said,
      appId: `app_${newId(ports)}`,
      disabled: false,
      secrets: [{ hash: ports.digest.sha256(appSecret), gmtCreate: now }],
      gmtCreate: now,
      gmtModified: now,
    });
    if (appResult.isErr()) return appResult;
    const app = appResult.value;
    return ok({ app, appSecret });
  });
}

/** A new `APP_SECRET`. */
export function newAppSecret(ports: Pick<Ports, "random">): string {
  return `sk_${newSecret(ports.random)}`;
}
