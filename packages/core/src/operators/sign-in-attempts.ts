import { ok, type ResultAsync } from "neverthrow";
import type { StorageFailure } from "../errors/failure.js";
import { attempt } from "../shared/attempt.js";
import { businessDay } from "../shared/business-day.js";
import type { AccountPorts } from "./account-ports.js";
import { failOperator, type OperatorAccountFailure } from "./operator-failure.js";

const WINDOW = 15 * 60_000;
/** Wrong attempts that one window allows. */
const LIMITS = { name: 10, peer: 30 } as const;

/** What an attempt is counted for: the name that is entered, and the address of the peer. */
export interface SignInSubjects {
  readonly name: string;
  readonly peer: string;
}

/** The units that an attempt took. A successful attempt gives them back. */
export interface TakenAttempt {
  giveBack(): Promise<void>;
}

/**
 * Counts an attempt to sign in before the password is compared.
 *
 * Fails with `sign-in.limited` after 10 wrong attempts for a name, or 30 from one address, in 15
 * minutes.
 */
export function takeSignInAttempt(
  ports: Pick<AccountPorts, "quotas" | "clock" | "policy" | "digest">,
  { name, peer }: SignInSubjects,
): ResultAsync<TakenAttempt, OperatorAccountFailure<"sign-in.limited"> | StorageFailure> {
  return attempt(async () => {
    const now = ports.clock.now();
    const { date: day } = businessDay(ports.policy.timeZone, now);
    const window = Math.floor(now / WINDOW);
    const taken: { readonly scope: "operator-sign-in"; readonly subject: string }[] = [];
    const giveBack = async () => {
      for (const key of taken) await ports.quotas.giveBack(key, day).unwrapOr(undefined);
    };
    for (const [kind, subject] of [["name", name] as const, ["peer", peer] as const]) {
      // A hash, because a name that somebody enters can be of any length, or a password.
      const hash = ports.digest.sha256(JSON.stringify([kind, subject, window]));
      const key = { scope: "operator-sign-in", subject: hash } as const;
      const unit = await ports.quotas.take(key, { day, limit: LIMITS[kind], now, spacing: 0 });
      if (unit.isErr()) return unit;
      if (!unit.value.granted) {
        await giveBack();
        return failOperator("sign-in.limited");
      }
      taken.push(key);
    }
    return ok({ giveBack });
  });
}
