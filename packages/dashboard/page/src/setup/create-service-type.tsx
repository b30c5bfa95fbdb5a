import { useState } from "react";
import { useChange } from "../api/use-change.js";
import { useTexts } from "../language/catalogue.js";
import { useMay } from "../session/session-context.js";
import { Field } from "../ui/field.js";
import { ReasonDialog } from "../ui/reason-dialog.js";
import { SETUP_TEXTS } from "./messages.js";
import { wholeNumber } from "./whole-number.js";

const DAY = 24 * 60 * 60_000;

/** Creates a timed service. */
export function CreateServiceType({ appId }: { readonly appId: string }) {
  const texts = useTexts(SETUP_TEXTS);
  const may = useMay();
  const [serviceName, setName] = useState("");
  const [no, setNo] = useState("");
  const [days, setDays] = useState("30");
  const create = useChange("/api/setup/service-types", {}, (reason: string) => {
    const numbered = no.trim() === "" ? {} : { serviceTypeNo: no.trim() };
    const durationMs = (wholeNumber(days) ?? 0) * DAY;
    return { appId, serviceName, durationMs, ...numbered, reason };
  });
  if (!may("service-type.create") || appId === "") return null;
  return (
    <ReasonDialog
      action={texts.createServiceType}
      confirm={texts.create}
      title={texts.createServiceType}
      change={create}
    >
      <Field label={texts.name} value={serviceName} onChange={setName} maxLength={64} isRequired />
      <Field
        label={texts.durationDays}
        value={days}
        onChange={setDays}
        inputMode="numeric"
        validate={(typed) => (wholeNumber(typed) === undefined ? texts.invalidNumber : null)}
        isRequired
      />
      <Field
        label={texts.serviceTypeNo}
        help={texts.serviceTypeNoHelp}
        value={no}
        onChange={setNo}
        maxLength={64}
      />
    </ReasonDialog>
  );
}
