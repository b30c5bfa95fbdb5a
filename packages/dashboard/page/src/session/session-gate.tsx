import { Activity, type ReactNode, useEffect, useState } from "react";
import { sendCsrfToken } from "../api/request.js";
import { useRead } from "../api/use-read.js";
import { focusAfterSignIn } from "../app/focus.js";
import { useTexts } from "../language/catalogue.js";
import { learnServerTime } from "../language/server-time.js";
import { Failure } from "../ui/failure.js";
import { Card } from "./card.js";
import { SESSION_TEXTS } from "./messages.js";
import { PasswordForm } from "./password-form.js";
import { type Session, ForgetViewsContext, SessionContext } from "./session-context.js";
import { EnterCode, Enrol } from "./second-factor.js";
import { SignIn } from "./sign-in.js";

interface SessionGateProps {
  /** What is shown below each step of signing in. */
  readonly around: ReactNode;
  readonly children: ReactNode;
}

/**
 * Shows its content to operators who are signed in, and the next step of signing in to others.
 *
 * The address stays the same, so that a link from a colleague opens the right view after the
 * sign-in. If the session ends, the content is hidden. If the same operator signs in again, it
 * appears again with what was typed.
 */
export function SessionGate({ around, children }: SessionGateProps) {
  const { data: session, error, refetch } = useRead("/api/session", {}, { isConstant: true });
  const [last, setLast] = useState<Session>();
  if (session === undefined)
    return error === null ? null : <Failure error={error} onRetry={() => void refetch()} />;
  // Must run before anything is rendered with the session.
  learnServerTime(session.now);
  sendCsrfToken(session.csrfToken);
  const isOpen = isComplete(session);
  if (isOpen && session !== last) setLast(session);
  const shown = isOpen ? session : last;
  return (
    <ForgetViewsContext value={() => setLast(undefined)}>
      {shown !== undefined && (
        <Activity key={shown.operator?.name} mode={isOpen ? "visible" : "hidden"}>
          <SessionContext value={shown}>{children}</SessionContext>
        </Activity>
      )}
      {!isOpen && (
        <div className="sign-in">
          <NextStep session={session} />
          <FocusWhenDone />
          {around}
        </div>
      )}
    </ForgetViewsContext>
  );
}

/** Moves the focus to the view after the sign-in form has been removed. */
function FocusWhenDone() {
  useEffect(() => focusAfterSignIn, []);
  return null;
}

function isComplete({ operator, secondFactor, mustChangePassword }: Session): boolean {
  return operator !== null && secondFactor === "none" && !mustChangePassword;
}

/** A link to the host's single sign-on, which leads back to the address that is open. */
function SignOnLink({ to }: { readonly to: string }) {
  const texts = useTexts(SESSION_TEXTS);
  const url = new URL(to, location.href);
  url.searchParams.set("to", `${location.pathname}${location.search}`);
  return (
    <a className="button primary" href={url.href}>
      {texts.signOn}
    </a>
  );
}

/** What an operator does next to sign in. */
function NextStep({ session }: { readonly session: Session }) {
  const texts = useTexts(SESSION_TEXTS);
  if (session.operator === null) {
    if (session.accounts) return <SignIn />;
    return (
      <Card title={texts.signIn}>
        {session.signInUrl === undefined ? <p>{texts.byHost}</p> : <SignOnLink to={session.signInUrl} />}
      </Card>
    );
  }
  if (session.secondFactor === "required") return <EnterCode />;
  if (session.secondFactor === "enrol") return <Enrol />;
  return (
    <Card title={texts.passwordTitle}>
      <p>{texts.passwordHelp}</p>
      <PasswordForm isFirst />
    </Card>
  );
}
