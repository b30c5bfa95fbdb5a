import { useState } from "react";
import { useTexts } from "../language/catalogue.js";
import { useChange } from "../api/use-change.js";
import { useMay, useSession } from "../session/session-context.js";
import { AppChoice } from "../setup/app-choice.js";
import { Field } from "../ui/field.js";
import { ReasonDialog } from "../ui/reason-dialog.js";
import { Time } from "../ui/time.js";
import { BILLS_TEXTS } from "./messages.js";
import { type BillException, useExceptionChange } from "./queries.js";

interface ExceptionRemediesProps {
  readonly exception: BillException;
  /** Called once the exception is closed. */
  readonly onDone: () => void;
}

/** What a person can do about an exception, according to the API. */
export function ExceptionRemedies({ exception, onDone }: ExceptionRemediesProps) {
  const texts = useTexts(BILLS_TEXTS);
  const may = useMay();
  return (
    <>
      {exception.remedies.map(({ remedy, until }) => {
        switch (remedy) {
          case "wait":
            return (
              until !== undefined && (
                <span key={remedy} className="muted">
                  {texts.wait} <Time at={until} />
                </span>
              )
            );
          case "adopt":
            return (
              may("bill-exception.adopt") && (
                <NoteRemedy key={remedy} id={exception.id} name="adopt" onDone={onDone} />
              )
            );
          case "assign":
            return may("bill-exception.assign") && <Assign key={remedy} id={exception.id} onDone={onDone} />;
          case "not-ours":
            return (
              may("bill-exception.not-ours") && (
                <NoteRemedy key={remedy} id={exception.id} name="not-ours" onDone={onDone} />
              )
            );
          case "settle":
            return (
              may("bill-exception.resolve") && (
                <NoteRemedy key={remedy} id={exception.id} name="resolve" onDone={onDone} />
              )
            );
          default:
            return null;
        }
      })}
    </>
  );
}

interface RemedyProps {
  readonly id: string;
  readonly onDone: () => void;
}

/** A remedy that needs only a note. */
function NoteRemedy({ id, name, onDone }: RemedyProps & { readonly name: "resolve" | "adopt" | "not-ours" }) {
  const texts = useTexts(BILLS_TEXTS);
  const change = useExceptionChange(id, name);
  const { action, title, help } = {
    resolve: { action: texts.resolve, title: texts.resolveTitle, help: texts.resolveHelp },
    adopt: { action: texts.adopt, title: texts.adoptTitle, help: texts.adoptHelp },
    "not-ours": { action: texts.notOurs, title: texts.notOursTitle, help: texts.notOursHelp },
  }[name];
  return (
    <ReasonDialog action={action} title={title} label={texts.note} change={change} onDone={onDone}>
      <p>{help}</p>
    </ReasonDialog>
  );
}

/** Names the order to which the payment or refund belongs. */
function Assign({ id, onDone }: RemedyProps) {
  const texts = useTexts(BILLS_TEXTS);
  const { apps } = useSession();
  const [chosen, setChosen] = useState<string>();
  const appId = chosen ?? apps[0]?.appId ?? "";
  const [bizNo, setBizNo] = useState("");
  const path = "/api/bill-exceptions/{id}/assign";
  const assign = useChange(path, { path: { id } }, (note: string) => ({ appId, bizNo: bizNo.trim(), note }));
  return (
    <ReasonDialog
      action={texts.assign}
      title={texts.assignTitle}
      label={texts.note}
      change={assign}
      onDone={onDone}
      onOpen={() => setBizNo("")}
    >
      <p>{texts.assignHelp}</p>
      <AppChoice value={appId} onChange={setChosen} />
      <Field label={texts.orderNumber} value={bizNo} onChange={setBizNo} maxLength={255} isRequired />
    </ReasonDialog>
  );
}
