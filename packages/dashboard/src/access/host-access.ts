import { equalInConstantTime, type Operator, type Ports } from "@tillkit/core";
import type { HttpRequest } from "@tillkit/core/http";
import { ResultAsync } from "neverthrow";
import type { Access } from "./access.js";

const DAY = 24 * 60 * 60_000;

/** Returns the operator who sends the request, or `undefined` if no operator is signed in. */
export type Authorize = (request: HttpRequest) => Promise<Operator | undefined>;

/**
 * Identifies operators by a function of the host.
 *
 * The token against forged requests is derived from the name and the day, so that every process of
 * the host computes the same one. A token is valid for at least a day.
 */
export function hostAccess(ports: Pick<Ports, "digest" | "clock">, authorize: Authorize): Access {
  const tokensOf = (name: string, day: number): readonly string[] =>
    ports.digest.keyed(`token of a page\n${day}\n${name}`);
  return {
    identify: (request) =>
      ResultAsync.fromPromise(authorize(request), (cause) => ({
        name: "storage.unavailable" as const,
        cause,
      })).map((operator) => {
        if (operator === undefined) return undefined;
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
