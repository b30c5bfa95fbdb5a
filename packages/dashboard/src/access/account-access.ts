import {
  type AccountPorts,
  findOperatorSession,
  hasCsrfToken,
  operatorOf,
  recallCsrfToken,
  type SecondFactor,
} from "@tillkit/core/operators";
import { okAsync } from "neverthrow";
import type { Access } from "./access.js";
import { type CookieScope, readCookie, readDeviceCookies, setCookie, setDeviceCookie } from "./cookies.js";

/** Identifies operators by the session of their account. */
export function accountAccess(ports: AccountPorts, scope: CookieScope, secondFactor: SecondFactor): Access {
  return {
    identify: (request, isUse) => {
      const token = readCookie(request, scope);
      if (token === undefined) return okAsync(undefined);
      return findOperatorSession(ports, token, isUse).map((found) => {
        if (found === undefined) return undefined;
        return {
          operator: operatorOf(found.account),
          csrfToken: () => recallCsrfToken(ports, found.session, token),
          hasToken: (sent: string) => hasCsrfToken(ports, found.session, sent),
          session: { ...found, token },
        };
      });
    },
    accounts: {
      ports,
      secondFactor,
      setCookie: (token) => setCookie(token, scope),
      devicesOf: (request) => readDeviceCookies(request, scope),
      setDeviceCookie: (device) => setDeviceCookie(device, scope),
    },
  };
}
