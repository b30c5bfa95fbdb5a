import { type ReactNode, useState } from "react";
import { Button, Form } from "react-aria-components";
import { useStep } from "../api/use-step.js";
import { useTexts } from "../language/catalogue.js";
import { plainDigits } from "../language/format.js";
import { Failure } from "../ui/failure.js";
import { Field } from "../ui/field.js";
import { Card } from "./card.js";
import { SESSION_TEXTS } from "./messages.js";
import { useNewSession, useSignOut } from "./queries.js";

interface CodeFormProps {
  readonly title: string;
  readonly path: "/api/session/code" | "/api/session/enrolment/confirm";
  readonly children: ReactNode;
}

/** A step that a code of the second factor completes. */
export function CodeForm({ title, path, children }: CodeFormProps) {
  const texts = useTexts(SESSION_TEXTS);
  const [code, setCode] = useState("");
  const step = useStep("post", path, {});
  const onSuccess = useNewSession();
  const signOut = useSignOut();
  return (
    <Card title={title}>
      {children}
      <Form
        onSubmit={(event) => {
          event.preventDefault();
          const body = { code: plainDigits(code).replaceAll(/\s/g, "") };
          step.mutate(body, { onSuccess, onError: () => setCode("") });
        }}
      >
        <Field
          label={texts.code}
          value={code}
          onChange={setCode}
          inputMode="numeric"
          autoComplete="one-time-code"
          isRequired
          isFocused
        />
        {step.error !== null && <Failure error={step.error} />}
        <Button className="button primary" type="submit" isPending={step.isPending}>
          {texts.continue}
        </Button>
        <Button className="button quiet" onPress={() => signOut.mutate()}>
          {texts.startAgain}
        </Button>
      </Form>
    </Card>
  );
}
