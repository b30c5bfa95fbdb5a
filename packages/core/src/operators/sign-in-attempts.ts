import { err, ok, type Result, type ResultAsync } from "neverthrow";
import type { StorageFailure } from "../errors/failure.js";
import { attempt } from "../shared/attempt.js";
import { peerKey } from "../shared/peer-key.js";
import type { AccountPorts } from "./account-ports.js";
import { knownDeviceOf } from "./known-device.js";
import type { OperatorAccount } from "./operator-account.js";
import type { Origin } from "./operator-command.js";
import { operatorNameKey } from "./is-same-operator.js";

/** How long a wrong attempt counts, in milliseconds. */
export const SIGN_IN_WINDOW = 15 * 60_000;
/** The maximum numbers of wrong attempts in any period of this length. */
const LIMITS = { name: 10, peer: 30, device: 10 } as const;

/** Where an attempt to sign in comes from. */
export interface SignInOrigin extends Origin {
  /** The tokens of {@link KnownDevice} that the browser sends. Absent: none. */
  readonly devices?: readonly string[];
}

/** Too many wrong attempts. */
export interface SignInLimited {
  readonly name: "sign-in.limited";
  /** The time until the next attempt is possible, in milliseconds. */
  readonly retryAfter: number;
}

/** A counted attempt. The caller gives a successful attempt back. */
export interface TakenAttempt {
  giveBack(): Promise<void>;
}

/**
 * Counts an attempt to sign in before the password or the code is compared.
 *
 * An attempt from a browser on which the operator has signed in counts for this browser only. Wrong
 * attempts from other browsers therefore do not block this browser, even from the same address, and
 * its own wrong attempts do not block other browsers. Otherwise an attempt counts for the name and
 * for the address, whether the name exists or not.
 *
 * Fails with `sign-in.limited` after 10 wrong attempts for a browser or a name, or 30 from one
 * address, within 15 minutes.
 *
 * @param name - as it was entered.
 * @param account - the account of that name, if there is one.
 */
export function takeSignInAttempt(
  ports: Pick<AccountPorts, "signInAttempts" | "clock" | "digest">,
  name: string,
  account: OperatorAccount | undefined,
  { from, devices = [] }: SignInOrigin,
): ResultAsync<TakenAttempt, SignInLimited | StorageFailure> {
  return attempt(async (): Promise<Result<TakenAttempt, SignInLimited | StorageFailure>> => {
    const at = ports.clock.now();
    const device = knownDeviceOf(ports, account, devices);
    const subjectKeys =
      device === undefined
        ? ([
            ["name", operatorNameKey(name)],
            ["peer", peerKey(from)],
          ] as const)
        : ([["device", device]] as const);
    // A hash, because an entered name can have any length, and can be a password by mistake.
    const subjects = subjectKeys.map(([kind, text]) => ({
      subject: ports.digest.sha256(JSON.stringify([kind, text])),
      limit: LIMITS[kind],
    }));
    const grant = await ports.signInAttempts.take(subjects, { at, window: SIGN_IN_WINDOW });
    if (grant.isErr()) return err(grant.error);
    if (!grant.value.granted)
      return err({ name: "sign-in.limited", retryAfter: Math.max(1, grant.value.retryAt - at) });
    const names = subjects.map(({ subject }) => subject);
    return ok({ giveBack: () => ports.signInAttempts.giveBack(names, at).unwrapOr(undefined) });
  });
}
