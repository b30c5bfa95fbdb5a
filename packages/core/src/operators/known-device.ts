import { equalInConstantTime } from "../shared/digest.js";
import { newSecret } from "../shared/random.js";
import type { AccountPorts } from "./account-ports.js";
import type { OperatorAccount } from "./operator-account.js";
import { operatorNameKey } from "./is-same-operator.js";

const DAY = 24 * 60 * 60_000;
/** How long a browser is known after a sign-in, in milliseconds. */
const KNOWN_FOR = 90 * DAY;
/** More tokens than this are not checked: a browser has one for each operator who uses it. */
const MAX_TOKENS = 8;

/** The facts of an account that a token of a browser is bound to. */
type DeviceAccount = Pick<OperatorAccount, "name" | "passwordHash" | "lastDisabledAt">;

/** What a browser keeps, so that Tillkit knows the browser at the next sign-in. */
export interface KnownDevice {
  /** Distinguishes the tokens of several operators in one browser. */
  readonly id: string;
  readonly token: string;
  /** How long the browser keeps the token, in milliseconds. */
  readonly keptFor: number;
}

/**
 * Returns the token that makes a browser known after the operator has signed in completely.
 *
 * The keyed digest signs the token, so Tillkit stores nothing. The token is bound to the operator,
 * the password and the last time the account was disabled. A new password, a reset and a disabled
 * account therefore invalidate all earlier tokens.
 */
export function newKnownDevice(
  { digest, random, clock }: Pick<AccountPorts, "digest" | "random" | "clock">,
  account: DeviceAccount,
): KnownDevice {
  const content = `${String(clock.now() + KNOWN_FOR)}.${newSecret(random)}`;
  const [signature] = digest.keyed(signedText(account, content));
  const id = digest.sha256(`browser of an operator\n${operatorNameKey(account.name)}`).slice(0, 16);
  return { id, token: `${content}.${signature}`, keptFor: KNOWN_FOR };
}

/**
 * Returns the first token that makes the browser known for an account, or `undefined`.
 *
 * Does the same work for an account that does not exist, so that the duration does not reveal
 * whether the account exists.
 */
export function knownDeviceOf(
  { digest, clock }: Pick<AccountPorts, "digest" | "clock">,
  account: DeviceAccount | undefined,
  tokens: readonly string[],
): string | undefined {
  const now = clock.now();
  return tokens.slice(0, MAX_TOKENS).find((token) => {
    const [, content, expiresAt, signature] = /^((\d{1,16})\.[\w-]{1,64})\.([\w:]{1,128})$/.exec(token) ?? [];
    if (content === undefined || signature === undefined || Number(expiresAt) <= now) return false;
    const signatures = digest.keyed(signedText(account ?? NOBODY, content));
    const isGenuine = signatures.map((one) => equalInConstantTime(one, signature)).includes(true);
    return isGenuine && account !== undefined;
  });
}

const NOBODY = { name: "", passwordHash: "" };

function signedText({ name, passwordHash, lastDisabledAt }: DeviceAccount, content: string): string {
  const facts = [name, passwordHash, lastDisabledAt ?? null, content];
  return `browser of an operator\n${JSON.stringify(facts)}`;
}
