import { addDays, dayOf } from "../language/business-day.js";
import { useTexts } from "../language/catalogue.js";
import { serverTime } from "../language/server-time.js";
import { useSession } from "../session/session-context.js";
import { FILTER_TEXTS } from "./messages.js";
import type { QuickChoice } from "./quick-choices.js";

/** Returns choices of the last days for the filters `from` and `until`. */
export function useDayChoices(): readonly QuickChoice[] {
  const texts = useTexts(FILTER_TEXTS);
  const { timeZone } = useSession().policy;
  const today = dayOf(serverTime(), timeZone);
  const yesterday = addDays(today, -1);
  return [
    { label: texts.anyTime, values: { from: undefined, until: undefined } },
    { label: texts.today, values: { from: today, until: today } },
    { label: texts.yesterday, values: { from: yesterday, until: yesterday } },
    { label: texts.week, values: { from: addDays(today, -6), until: today } },
    { label: texts.month, values: { from: addDays(today, -29), until: today } },
  ];
}
