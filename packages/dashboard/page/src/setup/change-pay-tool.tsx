import { Checkbox } from "../ui/checkbox.js";
import { useState } from "react";
import type { Schema } from "../api/routes.js";
import { useChange } from "../api/use-change.js";
import { useTexts } from "../language/catalogue.js";
import { formatTime } from "../language/format.js";
import { useMay, useSession } from "../session/session-context.js";
import { Field } from "../ui/field.js";
import { ReasonDialog } from "../ui/reason-dialog.js";
import { PAY_TOOL_TEXTS } from "./pay-tool-messages.js";

type PayTool = Schema<"PayToolSetup">;

const LABELS = ["appName", "appPackageName", "appSignature"] as const;
type Label = (typeof LABELS)[number];

/** What the form contains. An empty field keeps the stored credential. */
interface Typed {
  readonly labels: Pick<PayTool, Label>;
  readonly credentials: Readonly<Record<string, string>>;
  readonly removed: readonly string[];
}

function typedOf({ appName, appPackageName, appSignature }: PayTool): Typed {
  return { labels: { appName, appPackageName, appSignature }, credentials: {}, removed: [] };
}

/** Returns the members that differ from the stored pay tool. A removed credential is `null`. */
function changedMembers(tool: PayTool, { labels, credentials, removed }: Typed) {
  const named: { [Name in Label]?: string } = {};
  for (const name of LABELS) if (labels[name] !== tool[name]) named[name] = labels[name];
  const values: Record<string, string | null> = {};
  for (const [name, text] of Object.entries(credentials)) if (text.trim() !== "") values[name] = text;
  for (const name of removed) values[name] = null;
  return Object.keys(values).length === 0 ? named : { ...named, credentials: values };
}

/**
 * Changes keys, certificates and labels of a pay tool. An empty field keeps the stored credential.
 */
export function ChangePayTool({ tool }: { readonly tool: PayTool }) {
  const texts = useTexts(PAY_TOOL_TEXTS);
  const may = useMay();
  const { timeZone } = useSession().policy;
  const [typed, setTyped] = useState<Typed>(() => typedOf(tool));
  const path = { id: tool.id };
  const toBody = (reason: string) => ({ ...changedMembers(tool, typed), reason });
  const change = useChange("/api/setup/pay-tools/{id}/change", { path }, toBody, { isSecret: true });
  const { labels, credentials, removed } = typed;
  const start = () => setTyped(typedOf(tool));
  // Without credentials that can be read, there is nothing to merge with.
  if (!may("pay-tool.change") || tool.credentials.length === 0) return null;
  return (
    <div className="actions">
      <ReasonDialog
        action={texts.change}
        title={texts.title(tool.accountId)}
        change={change}
        onOpen={start}
        onClose={start}
      >
        <p>{texts.help}</p>
        {tool.credentials.map(({ name, isSet, expiresAt }) => (
          <div key={name} className="credential">
            <Field
              label={name}
              help={
                !isSet
                  ? texts.notSet
                  : expiresAt === undefined
                    ? texts.set
                    : texts.setUntil(formatTime(expiresAt, timeZone, "date"))
              }
              rows={2}
              value={credentials[name] ?? ""}
              onChange={(text) => setTyped({ ...typed, credentials: { ...credentials, [name]: text } })}
              isDisabled={removed.includes(name)}
              autoComplete="off"
              spellCheck="false"
            />
            {isSet && (
              <Checkbox
                label={texts.remove(name)}
                isChecked={removed.includes(name)}
                onChange={(isRemoved) => {
                  const others = removed.filter((one) => one !== name);
                  setTyped({ ...typed, removed: isRemoved ? [...others, name] : others });
                }}
              />
            )}
          </div>
        ))}
        {LABELS.map((name) => (
          <Field
            key={name}
            label={texts[name]}
            value={labels[name]}
            onChange={(text) => setTyped({ ...typed, labels: { ...labels, [name]: text } })}
            maxLength={255}
          />
        ))}
      </ReasonDialog>
    </div>
  );
}
