import { type ReactNode, useState } from "react";
import { Button, Form } from "react-aria-components";
import { useStep } from "../api/use-step.js";
import { useTexts } from "../language/catalogue.js";
import { plainDigits } from "../language/format.js";
import { Failure } from "../ui/failure.js";
import { Field } from "../ui/field.js";
import { UI_TEXTS } from "../ui/messages.js";
import { ShownKey } from "./second-factor.js";
import { SESSION_TEXTS } from "./messages.js";
import { useNewSession } from "./queries.js";
import { type Session, useSession } from "./session-context.js";

/** The last change of the second factor. */
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
  const [password, setPassword] = useState("");
  const [code, setCode] = useState("");
  const begin = useStep("post", "/api/session/enrolment", {});
  const confirm = useStep("post", "/api/session/enrolment/confirm", {});
  const enrolment = begin.data;
  return (
    <FactorForm
      step={{ error: confirm.error ?? begin.error, isPending: begin.isPending || confirm.isPending }}
      submit={texts.continue}
      tone="primary"
      onCancel={onCancel}
      onSubmit={() => {
        if (enrolment === undefined) begin.mutate({ password });
        else {
          const body = { password, code: plainDigits(code).replaceAll(/\s/g, "") };
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
            isFocused
          />
        </>
      )}
    </FactorForm>
  );
}

/** Asks for the password, and removes the second factor. */
function RemoveForm({ onDone, onCancel }: FormProps) {
  const texts = useTexts(SESSION_TEXTS);
  const [password, setPassword] = useState("");
  const remove = useStep("post", "/api/session/enrolment/remove", {});
  return (
    <FactorForm
      step={remove}
      submit={texts.removeFactor}
      tone="danger"
      onCancel={onCancel}
      onSubmit={() => remove.mutate({ password }, { onSuccess: onDone })}
    >
      <p>{texts.removeFactorHelp}</p>
      <PasswordField value={password} onChange={setPassword} />
    </FactorForm>
  );
}

interface FactorFormProps extends Pick<FormProps, "onCancel"> {
  readonly step: { readonly error: unknown; readonly isPending: boolean };
  readonly submit: string;
  readonly tone: "primary" | "danger";
  readonly onSubmit: () => void;
  readonly children: ReactNode;
}

/** The fields of a step, why the last try failed, and the buttons. */
function FactorForm({ step, submit, tone, onSubmit, onCancel, children }: FactorFormProps) {
  const ui = useTexts(UI_TEXTS);
  return (
    <Form
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
      }}
    >
      {children}
      {step.error !== null && <Failure error={step.error} />}
      <Button className={`button ${tone}`} type="submit" isPending={step.isPending}>
        {submit}
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
      isFocused
    />
  );
}
