import { useEffect } from "react";
import type { Schema } from "../api/routes.js";
import { useStep } from "../api/use-step.js";
import { useTexts } from "../language/catalogue.js";
import { Copyable } from "../ui/copyable.js";
import { Failure } from "../ui/failure.js";
import { UI_TEXTS } from "../ui/messages.js";
import { CodeForm } from "./code-form.js";
import { SESSION_TEXTS } from "./messages.js";
import { QrCode } from "./qr-code.js";

/** The second step: a code of the phone. */
export function EnterCode() {
  const texts = useTexts(SESSION_TEXTS);
  return (
    <CodeForm title={texts.codeTitle} path="/api/session/code">
      <p>{texts.codeHelp}</p>
    </CodeForm>
  );
}

/** The second step of an account without a second factor: set one up. */
export function Enrol() {
  const texts = useTexts(SESSION_TEXTS);
  return (
    <CodeForm title={texts.enrolTitle} path="/api/session/enrolment/confirm">
      <p>{texts.enrolHelp}</p>
      <NewKey />
    </CodeForm>
  );
}

/** The key of a new second factor. The server creates another one for each request. */
function NewKey() {
  const { loading } = useTexts(UI_TEXTS);
  const { mutate, data, error } = useStep("post", "/api/session/enrolment", {});
  useEffect(() => mutate({}), [mutate]);
  if (error !== null) return <Failure error={error} onRetry={() => mutate({})} />;
  if (data === undefined) return <p className="muted">{loading}…</p>;
  return <ShownKey enrolment={data} />;
}

/** A key of a second factor, as QR code and as text. */
export function ShownKey({ enrolment }: { readonly enrolment: Schema<"Enrolment"> }) {
  const texts = useTexts(SESSION_TEXTS);
  return (
    <>
      <QrCode text={enrolment.uri} label={texts.qr} />
      <p className="muted">{texts.keyHelp}</p>
      <p className="secret">
        <Copyable text={enrolment.key} />
      </p>
    </>
  );
}
