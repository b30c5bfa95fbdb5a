import type { Ports } from "../ports.js";
import type { PasswordHasher } from "./password-hasher.js";
import type { Totp } from "./totp.js";

/** The ports that signing in uses. */
export interface AccountPorts extends Pick<
  Ports,
  "operators" | "operatorSessions" | "signInAttempts" | "auditLog" | "clock" | "random" | "digest"
> {
  readonly passwords: PasswordHasher;
  readonly totp: Totp;
}
