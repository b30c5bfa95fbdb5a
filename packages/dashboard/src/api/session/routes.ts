import {
  type AccountPorts,
  beginEnrolment,
  changePassword,
  changePasswordInput,
  closeOperatorSession,
  confirmSecondFactor,
  enterCode,
  type OpenedOperatorSession,
  type PresentedSession,
  type SignInOrigin,
  signIn,
  signInInput,
} from "@tillkit/core";
import { fail } from "@tillkit/core/errors";
import { err, errAsync, ok, type Result, type ResultAsync } from "neverthrow";
import * as z from "zod";
import type { Accounts } from "../../access/access.js";
import type { ApiFailure } from "../api-failure.js";
import { operatorChange, operatorRoute, type RouteContext } from "../route.js";
import { enrolmentSchema, sessionSchema } from "./schemas.js";
import { senderOf, sessionBody } from "./session-body.js";

const noInput = () => z.object({});
const session = () => sessionSchema;
const codeInput = () => z.object({ code: z.string().max(16) });

/** Opens a session with `open`, and answers with it and its cookie. */
async function withSession(
  context: RouteContext,
  open: (accounts: Accounts) => ResultAsync<OpenedOperatorSession, ApiFailure>,
) {
  const { accounts } = context.access;
  if (accounts === undefined) return fail("endpoint.not-found");
  const opened = await open(accounts);
  if (opened.isErr()) return err(opened.error);
  const body = await sessionBody(context, senderOf(opened.value));
  const { token, device } = opened.value;
  const cookies = [
    accounts.setCookie(token),
    ...(device === undefined ? [] : [accounts.setDeviceCookie(device)]),
  ];
  return body.map((value) => ({ value, cookies }));
}

/** Returns the session of the sender, and the accounts. */
function presentedIn({
  access,
  identified,
}: RouteContext): Result<{ readonly accounts: Accounts; readonly presented: PresentedSession }, ApiFailure> {
  const { accounts } = access;
  const presented = identified?.session;
  if (accounts === undefined || presented === undefined) return fail("endpoint.not-found");
  return ok({ accounts, presented });
}

/** Answers with the session that `open` returns for the presented one. */
async function replacingSession(
  context: RouteContext,
  open: (ports: AccountPorts, presented: PresentedSession) => ResultAsync<OpenedOperatorSession, ApiFailure>,
) {
  const found = presentedIn(context);
  if (found.isErr()) return found;
  return withSession(context, ({ ports }) => open(ports, found.value.presented));
}

/** Answers with the session of the sender. */
async function answerSession(context: RouteContext) {
  return (await sessionBody(context, context.identified)).map((value) => ({ value }));
}

/** Completes a session with a code of the second factor. */
const completing =
  (
    complete: (
      ports: AccountPorts,
      presented: PresentedSession,
      code: string,
      origin: SignInOrigin,
    ) => ResultAsync<OpenedOperatorSession, ApiFailure>,
  ) =>
  (context: RouteContext, { code }: { readonly code: string }) =>
    replacingSession(context, (ports, presented) => complete(ports, presented, code, context.origin));

/** The endpoints that open, complete and end a session. */
export const sessionRoutes = [
  operatorRoute({
    method: "GET",
    path: "/api/session",
    allowed: "anyone",
    input: noInput,
    response: session,
    run: answerSession,
  }),
  operatorRoute({
    method: "POST",
    path: "/api/session",
    allowed: "anyone",
    input: signInInput,
    response: session,
    run: (context, input) =>
      withSession(context, ({ ports, secondFactor }) => signIn(ports, input, secondFactor, context.origin)),
  }),
  operatorRoute({
    method: "POST",
    path: "/api/session/code",
    allowed: "session",
    action: "session.open",
    input: codeInput,
    response: session,
    run: completing(enterCode),
  }),
  operatorRoute({
    method: "POST",
    path: "/api/session/enrolment",
    allowed: "session",
    action: "operator.second-factor",
    input: noInput,
    response: () => enrolmentSchema,
    run: async (context) =>
      presentedIn(context).map(({ accounts, presented }) => ({
        value: beginEnrolment(accounts.ports, presented),
      })),
  }),
  operatorChange({
    method: "POST",
    path: "/api/session/enrolment/confirm",
    allowed: "session",
    action: "operator.second-factor",
    input: codeInput,
    secret: ["code"],
    response: session,
    repeat: answerSession,
    run: completing(confirmSecondFactor),
  }),
  operatorChange({
    method: "POST",
    path: "/api/session/password",
    allowed: "session",
    action: "operator.password",
    input: changePasswordInput,
    secret: ["current", "next"],
    response: session,
    repeat: answerSession,
    run: (context, input) =>
      replacingSession(context, (ports, presented) =>
        // Only a complete session: the first factor alone must not be enough to replace it.
        presented.session.complete
          ? changePassword(ports, presented, input, context.origin)
          : errAsync<OpenedOperatorSession, ApiFailure>({ name: "session.incomplete" }),
      ),
  }),
  operatorRoute({
    method: "DELETE",
    path: "/api/session",
    allowed: "session",
    action: "session.close",
    input: noInput,
    response: session,
    run: async (context) => {
      const found = presentedIn(context);
      if (found.isErr()) return found;
      const { accounts, presented } = found.value;
      const by = { operator: presented.account.name, reason: "", ...context.origin };
      const closed = await closeOperatorSession(accounts.ports, presented.token, by);
      if (closed.isErr()) return err(closed.error);
      const body = await sessionBody(context, undefined);
      return body.map((value) => ({ value, cookies: [accounts.setCookie(undefined)] }));
    },
  }),
];
