import type { Operator } from "@tillkit/core";
import type { StorageFailure } from "@tillkit/core/errors";
import type { HttpRequest } from "@tillkit/core/http";
import type { AccountPorts, KnownDevice, PresentedSession, SecondFactor } from "@tillkit/core/operators";
import type { ResultAsync } from "neverthrow";

/** The sender of a request. */
export interface Identified {
  readonly operator: Operator;
  /** Returns whether `sent` is the token against forged requests (CSRF). */
  readonly hasToken: (sent: string) => boolean;
  /**
   * Returns the token against forged requests (CSRF), or `undefined` if it cannot be computed.
   *
   * A function, because only the endpoint of the session needs the token.
   */
  readonly csrfToken: () => string | undefined;
  /** The session, if the operator has an account. */
  readonly session?: PresentedSession;
}

/** Identifies the sender of a request. */
export interface Access {
  /**
   * Returns the sender, or `undefined` if there is none.
   *
   * @param isUse - whether the request counts as a use of the session. Defaults to true.
   */
  identify(request: HttpRequest, isUse?: boolean): ResultAsync<Identified | undefined, StorageFailure>;
  /** The accounts. Absent if the host identifies operators. */
  readonly accounts?: Accounts;
  /** Where operators sign in and out at the host. Absent for accounts. */
  readonly addresses?: SignOnAddresses;
}

/** The addresses of the host's single sign-on, for links of the page. */
export interface SignOnAddresses {
  readonly signInUrl?: string;
  readonly signOutUrl?: string;
}

/** The accounts of operators, and how they sign in. */
export interface Accounts {
  readonly ports: AccountPorts;
  readonly secondFactor: SecondFactor;
  /**
   * Returns the value of `Set-Cookie` for a token. Without a token, the value deletes the cookie.
   */
  setCookie(token: string | undefined): string;
  /** Returns the tokens that make the sender's browser known. */
  devicesOf(request: HttpRequest): readonly string[];
  /** Returns the value of `Set-Cookie` that makes the browser known at the next sign-in. */
  setDeviceCookie(device: KnownDevice): string;
}
