import { useState } from "react";
import { Button, Form } from "react-aria-components";
import { api, valueOf } from "../api/client.js";
import { useTexts } from "../language/catalogue.js";
import { Failure } from "../ui/failure.js";
import { Field } from "../ui/field.js";
import { Card } from "./card.js";
import { SESSION_TEXTS } from "./messages.js";
import { useSessionStep } from "./queries.js";

/** The first step: name and password. */
export function SignIn() {
  const texts = useTexts(SESSION_TEXTS);
  const [name, setName] = useState("");
  const [password, setPassword] = useState("");
  const step = useSessionStep(() => valueOf(api.POST("/api/session", { body: { name, password } })));
  return (
    <Card title={texts.signIn}>
      <Form
        onSubmit={(event) => {
          event.preventDefault();
          step.mutate(undefined, { onError: () => setPassword("") });
        }}
      >
        <Field
          label={texts.name}
          value={name}
          onChange={setName}
          autoComplete="username"
          isRequired
          autoFocus
        />
        <Field
          {...{ label: texts.password, value: password, onChange: setPassword }}
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
