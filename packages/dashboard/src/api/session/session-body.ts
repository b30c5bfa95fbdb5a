import type { StorageFailure } from "@tillkit/core/errors";
import { type OpenedOperatorSession, operatorOf, permissionsOf, seesApp } from "@tillkit/core/operators";
import { err, ok, type Result } from "neverthrow";
import type * as z from "zod";
import type { Access, Identified } from "../../access/access.js";
import type { RouteContext } from "../route-context.js";
import type { sessionSchema } from "./schemas.js";

type SessionBody = z.output<typeof sessionSchema>;
/** The sender as the page knows it. */
type Sender = Pick<Identified, "operator" | "csrfToken" | "session">;

/** Returns what the page needs to know about the sender. */
export async function sessionBody(
  { ports, access }: RouteContext,
  sender: Sender | undefined,
): Promise<Result<SessionBody, StorageFailure>> {
  const { timeZone, payChannelNames } = ports.policy;
  const facts = {
    accounts: access.accounts !== undefined,
    ...access.addresses,
    now: ports.clock.now(),
    policy: { timeZone, payChannelNames, currency: "CNY" },
  } as const;
  if (sender === undefined) return ok({ ...facts, ...NOTHING, operator: null });
  const { operator, session } = sender;
  const csrfToken = sender.csrfToken();
  const isComplete = session?.session.complete ?? true;
  const mustChangePassword = session?.account.mustChangePassword ?? false;
  const body = {
    ...facts,
    ...NOTHING,
    operator,
    mustChangePassword,
    ...(csrfToken === undefined ? {} : { csrfToken }),
  };
  if (!isComplete)
    return ok({ ...body, secondFactor: session?.account.totpSecret === undefined ? "enrol" : "required" });
  if (mustChangePassword) return ok(body);
  const apps = await ports.apps.list();
  if (apps.isErr()) return err(apps.error);
  return ok({
    ...body,
    ...ownSecondFactorOf(access, session),
    permissions: permissionsOf(operator),
    apps: apps.value
      .filter(({ appId }) => seesApp(operator, appId))
      .map(({ appId, name }) => ({ appId, name })),
  });
}

/** The members of the answer to a sender without rights. */
const NOTHING = { secondFactor: "none", mustChangePassword: false, permissions: [], apps: [] } as const;

/** Returns whether the account has a second factor, and whether its operator may remove it. */
function ownSecondFactorOf(
  { accounts }: Pick<Access, "accounts">,
  session: Sender["session"],
): Pick<SessionBody, "ownSecondFactor"> {
  if (accounts === undefined || session === undefined) return {};
  if (session.account.totpSecret === undefined) return { ownSecondFactor: "absent" };
  return { ownSecondFactor: accounts.secondFactor === "optional" ? "removable" : "permanent" };
}

/** Returns the sender of the session that a sign-in opened. */
export function senderOf({ session, account, token, csrfToken }: OpenedOperatorSession): Sender {
  return {
    operator: operatorOf(account),
    csrfToken: () => csrfToken,
    session: { session, account, token },
  };
}
