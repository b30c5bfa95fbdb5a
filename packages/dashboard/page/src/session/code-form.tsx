import { type ReactNode, useState } from "react";
import { Button, Form } from "react-aria-components";
import { useTexts } from "../language/catalogue.js";
import { Failure } from "../ui/failure.js";
import { Field } from "../ui/field.js";
import { Card } from "./card.js";
import { SESSION_TEXTS } from "./messages.js";
import { type Session, useSessionStep, useSignOut } from "./queries.js";

interface CodeFormProps {
  readonly title: string;
  readonly send: (code: string) => Promise<Session>;
  readonly children: ReactNode;
}

/** A step that a code of the second factor completes. */
export function CodeForm({ title, send, children }: CodeFormProps) {
  const texts = useTexts(SESSION_TEXTS);
  const [code, setCode] = useState("");
  const step = useSessionStep(send);
  const signOut = useSignOut();
  return (
    <Card title={title}>
      {children}
      <Form
        onSubmit={(event) => {
          event.preventDefault();
          step.mutate(code.replaceAll(/\s/g, ""), { onError: () => setCode("") });
        }}
      >
        <Field
          {...{ label: texts.code, value: code, onChange: setCode }}
          inputMode="numeric"
          autoComplete="one-time-code"
          isRequired
          autoFocus
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
