import {
  auditEntryOf,
  createOperator,
  createOperatorInput,
  newSecret,
  parseInput,
  type PasswordHasher,
  type Ports,
} from "@tillkit/core";
import { unwrapOrExit } from "./unwrap-or-exit.js";

const NAME = "admin";

/** The name and the password of an operator of the dashboard. */
export interface AdminCredentials {
  readonly user: string;
  readonly password: string;
}

/**
 * Creates the account of an admin. The host stores its password in `host.json`.
 *
 * If that file is lost, the account gets a new password. Throws if a step fails.
 *
 * @param before - the credentials in `host.json`. `undefined`: the file has none.
 */
export async function seedAdmin(
  ports: Ports & { readonly passwords: PasswordHasher },
  before: AdminCredentials | undefined,
): Promise<AdminCredentials> {
  const stored = unwrapOrExit("operator", await ports.operators.find(NAME));
  if (stored !== undefined && before !== undefined) return before;
  const password = newSecret(ports.random);
  const by = { operator: "host", reason: "start of the quickstart", from: "host", traceId: "" };
  if (stored === undefined) {
    const input = parseInput(createOperatorInput(), { name: NAME, role: "admin", password });
    unwrapOrExit("operator", await createOperator(ports, unwrapOrExit("operator", input), by));
    return { user: NAME, password };
  }
  const audit = auditEntryOf(ports, by, { action: "operator.reset", subject: `operator:${NAME}` });
  const passwordHash = await ports.passwords.hash(password);
  const change = { passwordHash, mustChangePassword: false, removesSecondFactor: true, at: audit.at };
  unwrapOrExit("operator", await ports.operators.setPassword(NAME, change, audit));
  return { user: NAME, password };
}
