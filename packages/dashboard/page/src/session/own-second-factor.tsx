import { useState } from "react";
import { Button, Form } from "react-aria-components";
import { useStep } from "../api/use-step.js";
import { useTexts } from "../language/catalogue.js";
import { Failure } from "../ui/failure.js";
import { Field } from "../ui/field.js";
import { UI_TEXTS } from "../ui/messages.js";
import { ShownKey } from "./second-factor.js";
import { SESSION_TEXTS } from "./messages.js";
import { type Session, useNewSession } from "./queries.js";
import { useSession } from "./session-context.js";

/** What was done last. */
type Done = "factorSet" | "factorRemoved";

/** The second factor of the operator's own account. Each change needs the password again. */
export function OwnSecondFactor() {
  const texts = useTexts(SESSION_TEXTS);
  const { ownSecondFactor } = useSession();
  const [form, setForm] = useState<"set" | "remove">();
  const [done, setDone] = useState<Done>();
  const replaceSession = useNewSession();
  if (ownSecondFactor === undefined) return null;
  const open = (next: typeof form) => {
    setDone(undefined);
    setForm(next);
  };
  const end = (what: Done) => (session: Session) => {
    replaceSession(session);
    setForm(undefined);
    setDone(what);
  };
  const close = () => setForm(undefined);
  return (
    <section className="narrow">
      <h2>{texts.codeTitle}</h2>
      <p className="muted">{ownSecondFactor === "absent" ? texts.factorAbsent : texts.factorPresent}</p>
      {done !== undefined && <p role="status">{texts[done]}</p>}
      {form === "set" && <SetForm onDone={end("factorSet")} onCancel={close} />}
      {form === "remove" && <RemoveForm onDone={end("factorRemoved")} onCancel={close} />}
      {form === undefined && (
        <div className="buttons">
          <Button className="button" onPress={() => open("set")}>
            {ownSecondFactor === "absent" ? texts.setFactor : texts.replaceFactor}
          </Button>{" "}
          {ownSecondFactor === "removable" && (
            <Button className="button" onPress={() => open("remove")}>
              {texts.removeFactor}
            </Button>
          )}
        </div>
      )}
    </section>
  );
}

interface FormProps {
  readonly onDone: (session: Session) => void;
  readonly onCancel: () => void;
}

/** Asks for the password, shows a new key, and asks for its first code. */
function SetForm({ onDone, onCancel }: FormProps) {
  const texts = useTexts(SESSION_TEXTS);
  const ui = useTexts(UI_TEXTS);
  const [password, setPassword] = useState("");
  const [code, setCode] = useState("");
  const begin = useStep("post", "/api/session/enrolment", {});
  const confirm = useStep("post", "/api/session/enrolment/confirm", {});
  const enrolment = begin.data;
  const error = confirm.error ?? begin.error;
  return (
    <Form
      onSubmit={(event) => {
        event.preventDefault();
        if (enrolment === undefined) begin.mutate({ password });
        else {
          const body = { password, code: code.replaceAll(/\s/g, "") };
          confirm.mutate(body, { onSuccess: onDone, onError: () => setCode("") });
        }
      }}
    >
      {enrolment === undefined ? (
        <PasswordField value={password} onChange={setPassword} />
      ) : (
        <>
          <p>{texts.enrolHelp}</p>
          <ShownKey enrolment={enrolment} />
          <Field
            label={texts.code}
            value={code}
            onChange={setCode}
            inputMode="numeric"
            autoComplete="one-time-code"
            isRequired
            autoFocus
          />
        </>
      )}
      {error !== null && <Failure error={error} />}
      <Button className="button primary" type="submit" isPending={begin.isPending || confirm.isPending}>
        {texts.continue}
      </Button>
      <Button className="button quiet" onPress={onCancel}>
        {ui.cancel}
      </Button>
    </Form>
  );
}

/** Asks for the password, and removes the second factor. */
function RemoveForm({ onDone, onCancel }: FormProps) {
  const texts = useTexts(SESSION_TEXTS);
  const ui = useTexts(UI_TEXTS);
  const [password, setPassword] = useState("");
  const remove = useStep("post", "/api/session/enrolment/remove", {});
  return (
    <Form
      onSubmit={(event) => {
        event.preventDefault();
        remove.mutate({ password }, { onSuccess: onDone });
      }}
    >
      <p>{texts.removeFactorHelp}</p>
      <PasswordField value={password} onChange={setPassword} />
      {remove.error !== null && <Failure error={remove.error} />}
      <Button className="button danger" type="submit" isPending={remove.isPending}>
        {texts.removeFactor}
      </Button>
      <Button className="button quiet" onPress={onCancel}>
        {ui.cancel}
      </Button>
    </Form>
  );
}

interface PasswordFieldProps {
  readonly value: string;
  readonly onChange: (value: string) => void;
}

function PasswordField({ value, onChange }: PasswordFieldProps) {
  const texts = useTexts(SESSION_TEXTS);
  return (
    <Field
      label={texts.password}
      help={texts.passwordAgain}
      value={value}
      onChange={onChange}
      type="password"
      autoComplete="current-password"
      isRequired
      autoFocus
    />
  );
}
