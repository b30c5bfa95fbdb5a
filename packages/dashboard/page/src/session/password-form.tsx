import { useState } from "react";
import { Button, Form } from "react-aria-components";
import { useStep } from "../api/use-step.js";
import { useTexts } from "../language/catalogue.js";
import { Failure } from "../ui/failure.js";
import { Field } from "../ui/field.js";
import { SESSION_TEXTS } from "./messages.js";
import { useNewSession } from "./queries.js";
import type { Session } from "./session-context.js";

interface PasswordFormProps {
  readonly onChanged?: () => void;
  /** Whether its first field gets the focus, because the operator must complete this form next. */
  readonly isFirst?: boolean;
}

/** A form that replaces the operator's own password. */
export function PasswordForm({ onChanged, isFirst = false }: PasswordFormProps) {
  const texts = useTexts(SESSION_TEXTS);
  const [current, setCurrent] = useState("");
  const [next, setNext] = useState("");
  const [repeated, setRepeated] = useState("");
  const step = useStep("post", "/api/session/password", {});
  const replaceSession = useNewSession();
  const isDifferent = repeated !== "" && repeated !== next;
  return (
    <Form
      onSubmit={(event) => {
        event.preventDefault();
        if (next !== repeated) return;
        const onSuccess = (session: Session) => {
          replaceSession(session);
          onChanged?.();
        };
        step.mutate({ current, next }, { onSuccess });
      }}
    >
      <Field
        label={texts.current}
        value={current}
        onChange={setCurrent}
        type="password"
        autoComplete="current-password"
        isRequired
        isFocused={isFirst}
      />
      <Field
        label={texts.next}
        value={next}
        onChange={setNext}
        type="password"
        autoComplete="new-password"
        isRequired
      />
      <Field
        label={texts.repeat}
        value={repeated}
        onChange={setRepeated}
        type="password"
        autoComplete="new-password"
        isInvalid={isDifferent}
        isRequired
      />
      {isDifferent && <p className="field-error">{texts.different}</p>}
      {step.error !== null && <Failure error={step.error} />}
      <Button className="button primary" type="submit" isPending={step.isPending}>
        {texts.changePassword}
      </Button>
    </Form>
  );
}
