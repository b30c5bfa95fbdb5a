import type { Operator, Ports } from "@tillkit/core";
import type { HttpRequest } from "@tillkit/core/http";
import { operatorOf } from "@tillkit/core/operators";
import { equalInConstantTime } from "@tillkit/core/ports";
import { ResultAsync } from "neverthrow";
import type { Access, SignOnAddresses } from "./access.js";

const DAY = 24 * 60 * 60_000;

/**
 * Returns who sends the request, by the host's own single sign-on, or `undefined`.
 *
 * Must return the same name for the same person, because an operator must not approve a refund that
 * the same person requested. Names that differ only in case are the same.
 */
export type Authorize = (request: HttpRequest) => Promise<Operator | undefined>;

/** How the host identifies operators, and where they sign in and out. */
interface HostSignOn {
  readonly authorize: Authorize;
  readonly signInUrl?: string;
  readonly signOutUrl?: string;
}

/** Returns the given addresses. Throws for an address that the page must not link to. */
function signOnAddresses({ signInUrl, signOutUrl }: HostSignOn): SignOnAddresses {
  for (const url of [signInUrl, signOutUrl])
    if (url !== undefined && !/^(?:https?:\/\/|\/(?!\/))/.test(url))
      throw new RangeError("`signInUrl` and `signOutUrl` must begin with `/` or `https://`.");
  return { ...(signInUrl !== undefined && { signInUrl }), ...(signOutUrl !== undefined && { signOutUrl }) };
}

/**
 * Identifies operators by a function of the host.
 *
 * The token against forged requests is derived from the name and the day, so that every process of
 * the host computes the same token. A token is valid for at least a day.
 */
export function hostAccess(ports: Pick<Ports, "digest" | "clock">, signOn: HostSignOn): Access {
  const { authorize } = signOn;
  const addresses = signOnAddresses(signOn);
  const tokensOf = (name: string, day: number): readonly string[] =>
    ports.digest.keyed(`token of a page\n${day}\n${name}`);
  return {
    addresses,
    identify: (request) =>
      // Also handles a function that throws before it returns a promise.
      ResultAsync.fromPromise(
        (async () => authorize(request))(),
        (cause) => ({ name: "storage.unavailable", cause }) as const,
      ).map((found) => {
        if (found === undefined) return undefined;
        // The page sends the operator to the browser, so other members of the host's object are
        // removed.
        const operator = operatorOf(found);
        const day = Math.floor(ports.clock.now() / DAY);
        const today = () => tokensOf(operator.name, day);
        return {
          operator,
          csrfToken: () => today()[0],
          hasToken: (sent: string) =>
            [...today(), ...tokensOf(operator.name, day - 1)].some((token) =>
              equalInConstantTime(token, sent),
            ),
        };
      }),
  };
}
