import { businessDay, type BusinessDay } from "../shared/calendar.js";

/** Both wallets' days are China's. */
const CHINA = "Asia/Shanghai";

/** The day that the wallets' bills of `date` (`YYYY-MM-DD`) are about. Before its end no wallet has such a bill. */
export function billDay(date: string): BusinessDay {
  return businessDay(CHINA, Date.parse(`${date}T12:00:00+08:00`));
}

/** The last day that is over at `now`, `YYYY-MM-DD`: the one whose bills the wallets make this morning. */
export function lastBillDay(now: number): string {
  return businessDay(CHINA, businessDay(CHINA, now).startsAt - 1).date;
}
