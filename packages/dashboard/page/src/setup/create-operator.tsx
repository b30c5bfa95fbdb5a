import { useState } from "react";
import { useChange } from "../api/use-change.js";
import { useTexts } from "../language/catalogue.js";
import { useMay } from "../session/session-context.js";
import { Field } from "../ui/field.js";
import { ReasonDialog } from "../ui/reason-dialog.js";
import { SecretDialog } from "../ui/secret-dialog.js";
import { SETUP_TEXTS } from "./messages.js";
import { ResetOperator } from "./reset-operator.js";
import { RightsFields, rightsOf, type TypedRights } from "./rights-fields.js";

/** Creates an account, and shows its password once. */
export function CreateOperator() {
  const texts = useTexts(SETUP_TEXTS);
  const may = useMay();
  const [name, setName] = useState("");
  const [rights, setRights] = useState<TypedRights>({ role: "viewer", isLimited: false, apps: [] });
  const create = useChange("/api/operators", {}, (reason: string) => ({ name, ...rightsOf(rights), reason }));
  const created = create.data?.account;
  if (!may("operator.create")) return null;
  return (
    <div className="toolbar">
      <ReasonDialog
        action={texts.createOperator}
        confirm={texts.create}
        title={texts.createOperator}
        change={create}
      >
        <p>{texts.createOperatorHelp}</p>
        <Field label={texts.name} value={name} onChange={setName} maxLength={64} isRequired />
        <RightsFields value={rights} onChange={setRights} />
      </ReasonDialog>
      <SecretDialog
        title={texts.passwordTitle(created?.name ?? "")}
        isOpen={created !== undefined}
        secret={create.data?.password}
        renewal={created && <ResetOperator name={created.name} onClose={create.reset} />}
        onClose={create.reset}
      />
    </div>
  );
}
