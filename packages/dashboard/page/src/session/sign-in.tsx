import { useState } from "react";
import { Button, Form } from "react-aria-components";
import { useStep } from "../api/use-step.js";
import { useTexts } from "../language/catalogue.js";
import { Failure } from "../ui/failure.js";
import { Field } from "../ui/field.js";
import { Card } from "./card.js";
import { SESSION_TEXTS } from "./messages.js";
import { useNewSession } from "./queries.js";

/** The first step: name and password. */
export function SignIn() {
  const texts = useTexts(SESSION_TEXTS);
  const [name, setName] = useState("");
  const [password, setPassword] = useState("");
  const step = useStep("post", "/api/session", {});
  const onSuccess = useNewSession();
  return (
    <Card title={texts.signIn}>
      <Form
        onSubmit={(event) => {
          event.preventDefault();
          step.mutate({ name, password }, { onSuccess, onError: () => setPassword("") });
        }}
      >
        <Field
          label={texts.name}
          value={name}
          onChange={setName}
          autoComplete="username"
          isRequired
          isFocused
        />
        <Field
          label={texts.password}
          value={password}
          onChange={setPassword}
          type="password"
          autoComplete="current-password"
          isRequired
        />
        {step.error !== null && <Failure error={step.error} />}
        <Button className="button primary" type="submit" isPending={step.isPending}>
          {texts.signIn}
        </Button>
      </Form>
    </Card>
  );
}
