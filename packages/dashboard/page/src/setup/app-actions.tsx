import { Checkbox } from "../ui/checkbox.js";
import { useState } from "react";
import type { Schema } from "../api/routes.js";
import { useChange } from "../api/use-change.js";
import { useTexts } from "../language/catalogue.js";
import { useMay, useSession } from "../session/session-context.js";
import { Field } from "../ui/field.js";
import { ReasonDialog } from "../ui/reason-dialog.js";
import { SecretDialog } from "../ui/secret-dialog.js";
import { AppId } from "./app-id.js";
import { AppRules } from "./app-rules.js";
import { SETUP_TEXTS } from "./messages.js";
import { RotateSecret } from "./rotate-secret.js";

/** What an administrator does with an app. */
export function AppActions({ app }: { readonly app: Schema<"App"> }) {
  const texts = useTexts(SETUP_TEXTS);
  const may = useMay();
  const { appId, name } = app;
  const params = { path: { appId } };
  const disable = useChange("/api/setup/apps/{appId}/disable", params, (reason: string) => ({ reason }));
  const enable = useChange("/api/setup/apps/{appId}/enable", params, (reason: string) => ({ reason }));
  return (
    <div className="actions">
      <RotateSecret appId={appId} name={name} />
      {may("app.rules") && <AppRules app={app} />}
      {may("app.disable") && !app.disabled && (
        <ReasonDialog action={texts.disable} title={texts.disableApp(name)} change={disable}>
          <p>{texts.disableAppHelp}</p>
        </ReasonDialog>
      )}
      {may("app.enable") && app.disabled && (
        <ReasonDialog action={texts.enable} title={texts.enableApp(name)} change={enable}>
          <p>{texts.enableAppHelp}</p>
        </ReasonDialog>
      )}
    </div>
  );
}

/** Creates an app, and shows its secret once. */
export function CreateApp() {
  const texts = useTexts(SETUP_TEXTS);
  const may = useMay();
  const { operator } = useSession();
  const [name, setName] = useState("");
  const [accountBased, setAccountBased] = useState(true);
  const create = useChange("/api/setup/apps", {}, (reason: string) => ({
    name,
    accountBased,
    reason,
  }));
  const created = create.data?.app;
  // An operator of some apps would not see the new app.
  if (!may("app.create") || operator?.apps !== undefined) return null;
  return (
    <div className="toolbar">
      <ReasonDialog action={texts.createApp} confirm={texts.create} title={texts.createApp} change={create}>
        <p>{texts.createAppHelp}</p>
        <Field label={texts.name} value={name} onChange={setName} maxLength={64} isRequired />
        <Checkbox label={texts.accountBased} isChecked={accountBased} onChange={setAccountBased} />
        <p className="muted">{texts.accountBasedHelp}</p>
      </ReasonDialog>
      <SecretDialog
        title={texts.secretTitle}
        isOpen={created !== undefined}
        secret={create.data?.appSecret}
        renewal={created && <RotateSecret appId={created.appId} name={created.name} onClose={create.reset} />}
        onClose={create.reset}
      >
        {created && (
          <>
            <AppId appId={created.appId} />
            <p className="muted">{texts.connectApp}</p>
          </>
        )}
      </SecretDialog>
    </div>
  );
}
