import { type Operator, parseInput, type PasswordHasher, type Ports } from "@tillkit/core";
import { auditEntryOf, createOperator, createOperatorInput, newSecret } from "@tillkit/core/operators";
import { unwrapOrExit } from "./unwrap-or-exit.js";

/** The name and the password of an operator of the dashboard. */
export interface OperatorCredentials {
  readonly user: string;
  readonly password: string;
}

/**
 * Creates the account of an operator. The host stores its password in `host.json`.
 *
 * If the file is lost, the account gets a new password and loses its second factor. Throws if a
 * step fails.
 *
 * @param before - the credentials in `host.json`. `undefined` if the file has none.
 */
export async function seedOperator(
  ports: Ports & { readonly passwords: PasswordHasher },
  { name, role }: Pick<Operator, "name" | "role">,
  before: OperatorCredentials | undefined,
): Promise<OperatorCredentials> {
  const stored = unwrapOrExit("operator", await ports.operators.find(name));
  if (stored !== undefined && before !== undefined) return { user: name, password: before.password };
  const password = newSecret(ports.random);
  const by = { operator: "host", reason: "start of tillkit dev", from: "host", traceId: "" };
  if (stored === undefined) {
    const input = parseInput(createOperatorInput(), { name, role, password });
    unwrapOrExit("operator", await createOperator(ports, unwrapOrExit("operator", input), by));
    return { user: name, password };
  }
  const audit = auditEntryOf(ports, by, { action: "operator.reset", subject: `operator:${name}` });
  const passwordHash = await ports.passwords.hash(password);
  const change = { passwordHash, mustChangePassword: false, removesSecondFactor: true, at: audit.at };
  unwrapOrExit("operator", await ports.operators.setPassword(name, change, audit));
  return { user: name, password };
}
