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
      <label className="choice">
        <input
          type="checkbox"
          checked={accountBased}
          onChange={({ target }) => setAccountBased(target.checked)}
        />
        {texts.accountBased}
      </label>
      {CHECKS.map((name) => (
        <label key={name} className="choice">
          <input
            type="checkbox"
            checked={identityChecks[name]}
            onChange={({ target }) => setChecks({ ...identityChecks, [name]: target.checked })}
          />
          {labels[name]}
        </label>
      ))}
    </ReasonDialog>
  );
}
