import { FilterBar } from "../filters/filter-bar.js";
import type { FilterProblems } from "../filters/filter-reader.js";
import { useTexts } from "../language/catalogue.js";
import { CHANNELS } from "../orders/filters.js";
import { ORDERS_TEXTS } from "../orders/messages.js";
import { useSession } from "../session/session-context.js";
import { useChannelName } from "../ui/channel.js";
import { Field } from "../ui/field.js";
import { UI_TEXTS } from "../ui/messages.js";
import { Select } from "../ui/select.js";
import { REFUND_STATUSES, type ShownRefundFilters } from "./filters.js";
import { REFUND_LIST_TEXTS } from "./list-messages.js";

interface RefundFilterFormProps {
  readonly shown: ShownRefundFilters;
  readonly problems: FilterProblems;
  readonly onChange: (changed: ShownRefundFilters) => void;
}

/** The filters of the list of refunds. */
export function RefundFilterForm({ shown, problems, onChange }: RefundFilterFormProps) {
  const texts = useTexts(REFUND_LIST_TEXTS);
  const orders = useTexts(ORDERS_TEXTS);
  const ui = useTexts(UI_TEXTS);
  const channelName = useChannelName();
  const { apps } = useSession();
  const all = { value: "", label: ui.all };
  return (
    <FilterBar shown={shown} problems={problems} onChange={onChange}>
      {({ type, choose, day }) => (
        <>
          <Select
            label={texts.status}
            choices={[all, ...REFUND_STATUSES.map((value) => ({ value, label: orders[value] }))]}
            {...choose("status")}
          />
          {(apps.length > 1 || problems["app"] !== undefined) && (
            <Select
              label={orders.app}
              choices={[all, ...apps.map(({ appId, name }) => ({ value: appId, label: name }))]}
              {...choose("app")}
            />
          )}
          <Select
            label={orders.channel}
            choices={[all, ...CHANNELS.map((value) => ({ value, label: channelName(value) }))]}
            {...choose("channel")}
          />
          <Field label={texts.number} maxLength={200} {...type("number")} />
          <Field label={texts.operator} maxLength={64} {...type("operator")} />
          <div className="range">
            <Field label={orders.from} {...day("from")} />
            <Field label={orders.until} {...day("until")} />
          </div>
          <div className="range">
            <Field label={texts.confirmedFrom} {...day("confirmedFrom")} />
            <Field label={texts.confirmedUntil} {...day("confirmedUntil")} />
          </div>
          <div className="range">
            <Field label={orders.min} inputMode="decimal" {...type("min")} />
            <Field label={orders.max} inputMode="decimal" {...type("max")} />
          </div>
        </>
      )}
    </FilterBar>
  );
}
