import { Checkbox } from "../ui/checkbox.js";
import { useState } from "react";
import type { Schema } from "../api/routes.js";
import { useChange } from "../api/use-change.js";
import { useTexts } from "../language/catalogue.js";
import { ReasonDialog } from "../ui/reason-dialog.js";
import { SETUP_TEXTS } from "./messages.js";

const CHECKS = ["email", "phone", "card", "identityCard", "walletAccount", "bizNo"] as const;

/** Changes which identities of customers an app accepts. */
export function AppRules({ app }: { readonly app: Schema<"App"> }) {
  const texts = useTexts(SETUP_TEXTS);
  const [accountBased, setAccountBased] = useState(app.accountBased);
  const [identityChecks, setChecks] = useState(app.identityChecks);
  const start = () => {
    setAccountBased(app.accountBased);
    setChecks(app.identityChecks);
  };
  const params = { path: { appId: app.appId } };
  const change = useChange("/api/setup/apps/{appId}/rules", params, (reason: string) => ({
    accountBased,
    identityChecks,
    reason,
  }));
  const labels = {
    email: texts.noEmail,
    phone: texts.noPhone,
    card: texts.noCard,
    identityCard: texts.noIdentityCard,
    walletAccount: texts.noWalletAccount,
    bizNo: texts.noBizNo,
  };
  return (
    <ReasonDialog
      action={texts.rules}
      confirm={texts.save}
      title={texts.rulesTitle(app.name)}
      change={change}
      onOpen={start}
    >
      <Checkbox label={texts.accountBased} isChecked={accountBased} onChange={setAccountBased} />
      {CHECKS.map((name) => (
        <Checkbox
          key={name}
          label={labels[name]}
          isChecked={identityChecks[name]}
          onChange={(isRefused) => setChecks({ ...identityChecks, [name]: isRefused })}
        />
      ))}
    </ReasonDialog>
  );
}
