import { useState } from "react";
import { useChange } from "../api/use-change.js";
import { useTexts } from "../language/catalogue.js";
import { useMay } from "../session/session-context.js";
import { naturalNumber } from "../setup/whole-number.js";
import { Field } from "../ui/field.js";
import { ReasonDialog } from "../ui/reason-dialog.js";
import { DOWNLOADS_TEXTS } from "./messages.js";

interface ChangeCountsProps {
  readonly appId: string;
  readonly store: string;
  readonly from: string;
  readonly until: string;
}

/** Sets or deletes the counts of the days that are shown, of one app and store. */
export function ChangeCounts(days: ChangeCountsProps) {
  const texts = useTexts(DOWNLOADS_TEXTS);
  const may = useMay();
  const [news, setNews] = useState("0");
  const [updates, setUpdates] = useState("0");
  const set = useChange("/api/downloads/set", {}, (reason: string) => ({
    ...days,
    newDownloads: naturalNumber(news) ?? 0,
    updateDownloads: naturalNumber(updates) ?? 0,
    reason,
  }));
  const remove = useChange("/api/downloads/delete", {}, (reason: string) => ({ ...days, reason }));
  const { store, from, until } = days;
  const count = (label: string, value: string, onChange: (value: string) => void) => (
    <Field
      label={label}
      value={value}
      onChange={onChange}
      inputMode="numeric"
      validate={(typed) => (naturalNumber(typed) === undefined ? texts.invalidNumber : null)}
      isRequired
    />
  );
  return (
    <div className="toolbar">
      {may("downloads.set") && (
        <ReasonDialog
          action={texts.setCounts}
          title={texts.setTitle(store, from, until)}
          change={set}
          onOpen={() => {
            setNews("0");
            setUpdates("0");
          }}
        >
          <p>{texts.setHelp}</p>
          {count(texts.new, news, setNews)}
          {count(texts.update, updates, setUpdates)}
        </ReasonDialog>
      )}
      {may("downloads.delete") && (
        <ReasonDialog
          action={texts.deleteCounts}
          title={texts.deleteTitle(store, from, until)}
          change={remove}
        >
          <p>{texts.deleteHelp}</p>
        </ReasonDialog>
      )}
    </div>
  );
}
