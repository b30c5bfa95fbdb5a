import { useState } from "react";
import type { Schema } from "../api/routes.js";
import { useChange } from "../api/use-change.js";
import { useTexts } from "../language/catalogue.js";
import { useMay, useSession } from "../session/session-context.js";
import { Field } from "../ui/field.js";
import { ReasonDialog } from "../ui/reason-dialog.js";
import { Select } from "../ui/select.js";
import { SecretDialog } from "../ui/secret-dialog.js";
import { AppRules } from "./app-rules.js";
import { SETUP_TEXTS } from "./messages.js";

const HOUR = 60 * 60_000;

/** How long the previous secret may work beside a new one, in hours. */
const OVERLAPS = [0, 1, 24, 7 * 24] as const;

/** What an administrator does with an app. */
export function AppActions({ app }: { readonly app: Schema<"App"> }) {
  const texts = useTexts(SETUP_TEXTS);
  const may = useMay();
  const { appId, name } = app;
  const params = { path: { appId } };
  const [overlap, setOverlap] = useState("24");
  const rotate = useChange("/api/setup/apps/{appId}/rotate", params, (reason: string) => ({
    overlap: Number(overlap) * HOUR,
    reason,
  }));
  const disable = useChange("/api/setup/apps/{appId}/disable", params, (reason: string) => ({ reason }));
  const enable = useChange("/api/setup/apps/{appId}/enable", params, (reason: string) => ({ reason }));
  return (
    <div className="actions">
      {may("app.rotate-secret") && (
        <ReasonDialog action={texts.rotate} title={texts.rotateTitle(name)} change={rotate}>
          <Select
            label={texts.overlap}
            value={overlap}
            choices={OVERLAPS.map((hours) => ({ value: String(hours), label: texts.overlapOf(hours) }))}
            onChange={setOverlap}
          />
          <p>{overlap === "0" ? texts.revokeHelp : texts.rotateHelp}</p>
        </ReasonDialog>
      )}
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
      <SecretDialog title={texts.secretTitle} secret={rotate.data?.appSecret} onClose={rotate.reset} />
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
  // An operator of some apps would not see the new one.
  if (!may("app.create") || operator?.apps !== undefined) return null;
  return (
    <div className="toolbar">
      <ReasonDialog action={texts.createApp} title={texts.createApp} change={create}>
        <p>{texts.createAppHelp}</p>
        <Field label={texts.name} value={name} onChange={setName} maxLength={64} isRequired />
        <label className="choice">
          <input
            type="checkbox"
            checked={accountBased}
            onChange={({ target }) => setAccountBased(target.checked)}
          />
          {texts.accountBased}
        </label>
        <p className="muted">{texts.accountBasedHelp}</p>
      </ReasonDialog>
      <SecretDialog title={texts.secretTitle} secret={create.data?.appSecret} onClose={create.reset} />
    </div>
  );
}
