import { fail } from "@tillkit/core/errors";
import {
  beginEnrolment,
  changePassword,
  changePasswordInput,
  closeOperatorSession,
  confirmSecondFactor,
  enterCode,
  type OpenedOperatorSession,
  type PresentedSession,
  removeSecondFactor,
  signIn,
  signInInput,
} from "@tillkit/core/operators";
import { err, errAsync, ok, type Result, type ResultAsync } from "neverthrow";
import * as z from "zod";
import type { Accounts } from "../../access/access.js";
import type { ApiFailure } from "../api-failure.js";
import { operatorChange, operatorRoute } from "../route.js";
import type { RouteContext } from "../route-context.js";
import { enrolmentSchema, sessionSchema } from "./schemas.js";
import { senderOf, sessionBody } from "./session-body.js";

const noInput = () => z.object({});
const session = () => sessionSchema;
const codeInput = () => z.object({ code: z.string().max(16) });
/** The password may be absent only in a session that is not complete. */
const passwordShape = { password: z.string().max(128).optional() };

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

type OpenSession = (
  accounts: Accounts,
  presented: PresentedSession,
) => ResultAsync<OpenedOperatorSession, ApiFailure>;

/** Answers with the session that `open` returns for the presented session. */
async function replacingSession(context: RouteContext, open: OpenSession) {
  const found = presentedIn(context);
  if (found.isErr()) return found;
  return withSession(context, (accounts) => open(accounts, found.value.presented));
}

/**
 * Like {@link replacingSession}, but fails for an incomplete session.
 *
 * The first factor alone must not be enough to replace a factor.
 */
function completeOnly(context: RouteContext, open: OpenSession) {
  return replacingSession(context, (accounts, presented) =>
    presented.session.complete
      ? open(accounts, presented)
      : errAsync<OpenedOperatorSession, ApiFailure>({ name: "session.incomplete" }),
  );
}

/** Answers with the session of the sender. */
async function answerSession(context: RouteContext) {
  return (await sessionBody(context, context.identified)).map((value) => ({ value }));
}

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
    run: (context, { code }) =>
      replacingSession(context, ({ ports }, presented) => enterCode(ports, presented, code, context.origin)),
  }),
  operatorRoute({
    method: "POST",
    path: "/api/session/enrolment",
    allowed: "session",
    action: "operator.second-factor",
    input: () => z.object(passwordShape),
    response: () => enrolmentSchema,
    run: async (context, { password }) => {
      const found = presentedIn(context);
      if (found.isErr()) return err(found.error);
      const { accounts, presented } = found.value;
      const begun = await beginEnrolment(accounts.ports, presented, password, context.origin);
      return begun.isErr() ? err(begun.error) : ok({ value: begun.value });
    },
  }),
  operatorChange({
    method: "POST",
    path: "/api/session/enrolment/confirm",
    allowed: "session",
    action: "operator.second-factor",
    input: () => codeInput().extend(passwordShape),
    secret: ["code", "password"],
    response: session,
    repeat: answerSession,
    run: (context, { code, password }) =>
      replacingSession(context, ({ ports }, presented) => {
        const proof = { code, ...(password === undefined ? {} : { password }) };
        return confirmSecondFactor(ports, presented, proof, context.origin);
      }),
  }),
  operatorChange({
    method: "POST",
    path: "/api/session/enrolment/remove",
    allowed: "session",
    action: "operator.second-factor",
    input: () => z.object({ password: z.string().max(128) }),
    secret: ["password"],
    response: session,
    repeat: answerSession,
    run: (context, { password }) =>
      completeOnly(context, ({ ports, secondFactor }, presented) =>
        removeSecondFactor(ports, presented, password, secondFactor, context.origin),
      ),
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
      completeOnly(context, ({ ports }, presented) =>
        changePassword(ports, presented, input, context.origin),
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
