import * as z from "zod";
import { dayNumber, isDate } from "./date.js";
import { issue, singleLineText } from "./input.js";

/** A range of at most `maxDays` days, `YYYY-MM-DD`, including both ends. */
export function dayRangeInput(maxDays: number) {
  const day = () => singleLineText(10).refine(isDate, issue("date"));
  return z.object({ from: day(), until: day() }).refine(
    ({ from, until }) => {
      const days = (dayNumber(until) ?? 0) - (dayNumber(from) ?? 0) + 1;
      return days >= 1 && days <= maxDays;
    },
    { path: ["until"], ...issue("date-range") },
  );
}
