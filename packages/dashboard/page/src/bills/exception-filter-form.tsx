import { FilterBar } from "../filters/filter-bar.js";
import type { FilterProblems } from "../filters/filter-reader.js";
import { useTexts } from "../language/catalogue.js";
import { ORDERS_TEXTS } from "../orders/messages.js";
import { useSession } from "../session/session-context.js";
import { useChannelName } from "../ui/channel.js";
import { Field } from "../ui/field.js";
import { UI_TEXTS } from "../ui/messages.js";
import { Select } from "../ui/select.js";
import {
  EXCEPTION_KINDS,
  EXCEPTION_STATES,
  type ExceptionFilters,
  type ShownExceptionFilters,
} from "./filters.js";
import { BILLS_TEXTS } from "./messages.js";

/** The filters of the address, those for the API, and what cannot be read. */
export interface ExceptionFilterState {
  readonly shown: ShownExceptionFilters;
  readonly filters: ExceptionFilters;
  readonly problems: FilterProblems;
}

interface ExceptionFilterFormProps extends Omit<ExceptionFilterState, "filters"> {
  readonly onChange: (changed: ShownExceptionFilters) => void;
}

/** The filters of the exceptions. */
export function ExceptionFilterForm({ shown, problems, onChange }: ExceptionFilterFormProps) {
  const texts = useTexts(BILLS_TEXTS);
  const ui = useTexts(UI_TEXTS);
  const orders = useTexts(ORDERS_TEXTS);
  const { payChannelNames } = useSession().policy;
  const channelName = useChannelName();
  const all = { value: "", label: ui.all };
  return (
    <FilterBar shown={shown} problems={problems} onChange={onChange} isOpen>
      {({ type, choose, day }) => {
        const state = choose("state");
        return (
          <>
            <Select
              label={texts.state}
              choices={EXCEPTION_STATES.map((value) => ({ value, label: texts[value] }))}
              {...state}
              value={state.value === "" ? EXCEPTION_STATES[0] : state.value}
            />
            <Field label={texts.day} {...day("day")} />
            <Select
              label={texts.channel}
              choices={[
                all,
                ...Object.keys(payChannelNames).map((value) => ({ value, label: channelName(value) })),
              ]}
              {...choose("channel")}
            />
            <Select
              label={texts.kind}
              choices={[all, ...EXCEPTION_KINDS.map((value) => ({ value, label: texts[value] }))]}
              {...choose("kind")}
            />
            <Field label={texts.account} maxLength={64} {...type("account")} />
            <Field label={orders.id} maxLength={64} {...type("order")} />
          </>
        );
      }}
    </FilterBar>
  );
}
