import { useState } from "react";
import { Button } from "react-aria-components";
import { useTexts } from "../language/catalogue.js";
import { useSession } from "../session/session-context.js";
import { useChannelName } from "../ui/channel.js";
import { Field } from "../ui/field.js";
import { UI_TEXTS } from "../ui/messages.js";
import { Select } from "../ui/select.js";
import { type ShownFilters, STATUSES } from "./filters.js";
import { ORDERS_TEXTS } from "./messages.js";

interface OrderFilterFormProps {
  readonly shown: ShownFilters;
  readonly onChange: (changed: ShownFilters) => void;
}

/** The filters of the list. Choices apply at once, typed values with the button or Enter. */
export function OrderFilterForm({ shown, onChange }: OrderFilterFormProps) {
  const texts = useTexts(ORDERS_TEXTS);
  const ui = useTexts(UI_TEXTS);
  const { apps, policy } = useSession();
  const channelName = useChannelName();
  const [typed, setTyped] = useState(shown);
  const all = { value: "", label: ui.all };
  const type = (name: keyof ShownFilters) => ({
    value: typed[name] ?? "",
    onChange: (value: string) => setTyped({ ...typed, [name]: value }),
  });
  const choose = (name: keyof ShownFilters) => ({
    value: shown[name] ?? "",
    onChange: (value: string) => onChange({ ...typed, [name]: value }),
  });
  return (
    <details className="filters" open={Object.keys(shown).length > 0}>
      <summary>{texts.filters}</summary>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          onChange(typed);
        }}
      >
        <Select
          label={texts.status}
          choices={[all, ...STATUSES.map((value) => ({ value, label: texts[value] }))]}
          {...choose("status")}
        />
        <Select
          label={texts.channel}
          choices={[
            all,
            ...Object.keys(policy.payChannelNames).map((value) => ({ value, label: channelName(value) })),
          ]}
          {...choose("channel")}
        />
        {apps.length > 1 && (
          <Select
            label={texts.app}
            choices={[all, ...apps.map(({ appId, name }) => ({ value: appId, label: name }))]}
            {...choose("app")}
          />
        )}
        <Select
          label={texts.alarmWord}
          choices={[all, { value: "true", label: texts.alarm }]}
          {...choose("alarm")}
        />
        <Field label={texts.from} type={timeType(typed.from)} {...type("from")} />
        <Field label={texts.until} type={timeType(typed.until)} {...type("until")} />
        <Field label={texts.paidFrom} type="date" {...type("paidFrom")} />
        <Field label={texts.paidUntil} type="date" {...type("paidUntil")} />
        <Field label={texts.min} inputMode="decimal" {...type("min")} />
        <Field label={texts.max} inputMode="decimal" {...type("max")} />
        <Field label={texts.customer} maxLength={200} {...type("customer")} />
        <div className="filter-actions">
          <Button className="button" type="submit">
            {ui.apply}
          </Button>
          <Button className="button quiet" onPress={() => onChange({})}>
            {texts.clear}
          </Button>
        </div>
      </form>
    </details>
  );
}

/** A link may contain a time of day, which a field for days cannot show. */
function timeType(value: string | undefined): "date" | "datetime-local" {
  return value?.includes("T") === true ? "datetime-local" : "date";
}
