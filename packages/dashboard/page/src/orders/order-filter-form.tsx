import { FilterBar } from "../filters/filter-bar.js";
import type { FilterProblems } from "../filters/filter-reader.js";
import { useTexts } from "../language/catalogue.js";
import { useSession } from "../session/session-context.js";
import { useChannelName } from "../ui/channel.js";
import { Field } from "../ui/field.js";
import { UI_TEXTS } from "../ui/messages.js";
import { Select } from "../ui/select.js";
import { type ShownOrderFilters, STATUSES } from "./filters.js";
import { ORDERS_TEXTS } from "./messages.js";

interface OrderFilterFormProps {
  readonly shown: ShownOrderFilters;
  readonly problems: FilterProblems;
  readonly onChange: (changed: ShownOrderFilters) => void;
}

/** The filters of the list. Choices apply at once, typed values with the button or Enter. */
export function OrderFilterForm({ shown, problems, onChange }: OrderFilterFormProps) {
  const texts = useTexts(ORDERS_TEXTS);
  const ui = useTexts(UI_TEXTS);
  const { apps, policy } = useSession();
  const channelName = useChannelName();
  const all = { value: "", label: ui.all };
  return (
    <FilterBar shown={shown} problems={problems} onChange={onChange}>
      {({ type, choose, day }) => (
        <>
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
          {(apps.length > 1 || problems["app"] !== undefined) && (
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
          <div className="range">
            <Field label={texts.from} {...day("from")} />
            <Field label={texts.until} {...day("until")} />
          </div>
          <div className="range">
            <Field label={texts.paidFrom} {...day("paidFrom")} />
            <Field label={texts.paidUntil} {...day("paidUntil")} />
          </div>
          <div className="range">
            <Field label={texts.min} inputMode="decimal" {...type("min")} />
            <Field label={texts.max} inputMode="decimal" {...type("max")} />
          </div>
          <Field label={texts.customer} maxLength={255} {...type("customer")} />
        </>
      )}
    </FilterBar>
  );
}
