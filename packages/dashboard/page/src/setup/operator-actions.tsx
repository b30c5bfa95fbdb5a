import { useState } from "react";
import type { Schema } from "../api/routes.js";
import { useChange } from "../api/use-change.js";
import { useTexts } from "../language/catalogue.js";
import { useMay } from "../session/session-context.js";
import { ReasonDialog } from "../ui/reason-dialog.js";
import { SETUP_TEXTS } from "./messages.js";
import { ResetOperator } from "./reset-operator.js";
import { RightsFields, rightsOf, type TypedRights } from "./rights-fields.js";

/** What an administrator does with the account of another operator. */
export function OperatorActions({ account }: { readonly account: Schema<"OperatorAccount"> }) {
  const texts = useTexts(SETUP_TEXTS);
  const may = useMay();
  const { name, role, apps } = account;
  const stored: TypedRights = { role, isLimited: apps !== undefined, apps: apps ?? [] };
  const [rights, setRights] = useState(stored);
  const params = { path: { name } };
  const change = useChange("/api/operators/{name}/role", params, (reason: string) => ({
    ...rightsOf(rights),
    reason,
  }));
  const disable = useChange("/api/operators/{name}/disable", params, (reason: string) => ({ reason }));
  const enable = useChange("/api/operators/{name}/enable", params, (reason: string) => ({ reason }));
  return (
    <div className="actions">
      {may("operator.role") && (
        <ReasonDialog
          action={texts.changeRole}
          title={texts.changeRoleTitle(name)}
          change={change}
          onOpen={() => setRights(stored)}
        >
          <RightsFields value={rights} onChange={setRights} />
        </ReasonDialog>
      )}
      <ResetOperator name={name} />
      {may("operator.disable") && !account.disabled && (
        <ReasonDialog action={texts.disable} title={texts.disableOperator(name)} change={disable}>
          <p>{texts.disableOperatorHelp}</p>
        </ReasonDialog>
      )}
      {may("operator.enable") && account.disabled && (
        <ReasonDialog action={texts.enable} title={texts.enableOperator(name)} change={enable} />
      )}
    </div>
  );
}
