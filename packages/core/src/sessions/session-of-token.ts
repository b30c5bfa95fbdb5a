import type { Ports } from "../ports.js";
import type { Session } from "./session.js";

/** The form of a customer's id. It contains no dot, because a dot ends the id in a token. */
export const CUSTOMER_ID = /^[\w-]{1,64}$/;

/**
 * Returns the key of the session of a token, or `undefined` if the token is malformed.
 *
 * A token is `{customerId}.{secret}`. The id lets a partitioned store find the session directly.
 */
export function sessionOfToken(
  ports: Pick<Ports, "digest">,
  appId: string,
  token: string,
): Pick<Session, "appId" | "customerId" | "tokenHash"> | undefined {
  const match = /^([\w-]{1,64})\.[\w-]{43}$/.exec(token);
  return match?.[1] === undefined
    ? undefined
    : { appId, customerId: match[1], tokenHash: ports.digest.sha256(token) };
}

/**
 * Returns the id by which people and hosts name a session of a customer.
 *
 * @returns 16 hexadecimal digits. Neither the token nor its stored hash can be computed from them.
 */
export function sessionId(
  { digest }: Pick<Ports, "digest">,
  { tokenHash }: Pick<Session, "tokenHash">,
): string {
  return digest.sha256(`session\n${tokenHash}`).slice(0, 16);
}
