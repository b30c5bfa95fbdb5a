import { LANGUAGE_TAGS, type Language } from "./language.js";

/** Creates a formatter once for each language. */
function perLanguage<T>(create: (tag: string) => T): (language: Language) => T {
  const known = new Map<Language, T>();
  return (language) => {
    const found = known.get(language) ?? create(LANGUAGE_TAGS[language]);
    known.set(language, found);
    return found;
  };
}

const money = perLanguage(
  (tag) =>
    new Intl.NumberFormat(tag, { style: "currency", currency: "CNY", currencyDisplay: "narrowSymbol" }),
);
const numbers = perLanguage((tag) => new Intl.NumberFormat(tag));

/** Returns an amount of cents as decimal text, such as `-12.05`. */
export function decimalOf(cents: number): `${number}` {
  const digits = String(Math.abs(cents)).padStart(3, "0");
  const text = `${cents < 0 ? "-" : ""}${digits.slice(0, -2)}.${digits.slice(-2)}`;
  return isDecimal(text) ? text : "0";
}

function isDecimal(text: string): text is `${number}` {
  return /^-?\d+\.\d\d$/.test(text);
}

/**
 * Returns an amount of cents as money. Never converts the cents to a floating-point number of yuan.
 */
export function formatMoney(cents: number, language: Language): string {
  return money(language).format(decimalOf(cents));
}

/** Returns an integer with separators. */
export function formatNumber(value: number, language: Language): string {
  return numbers(language).format(value);
}

const shares = perLanguage(
  (tag) => new Intl.NumberFormat(tag, { style: "percent", maximumFractionDigits: 1 }),
);

/** Returns the share of `part` in `whole`, such as `92.5%`. */
export function formatShare(part: number, whole: number, language: Language): string {
  return shares(language).format(whole === 0 ? 0 : part / whole);
}

/** Returns a number that was counted up to a limit, such as `10,000+`. */
export function formatCount(
  { count, isLeast }: { readonly count: number; readonly isLeast: boolean },
  language: Language,
): string {
  return `${formatNumber(count, language)}${isLeast ? "+" : ""}`;
}

/**
 * Returns a number that a person typed, with the digits of ASCII. Chinese input methods also type
 * full-width digits.
 */
export function plainDigits(typed: string): string {
  return typed.normalize("NFKC");
}

/** Returns the cents of an amount that a person typed, such as `12.5`, or `undefined`. */
export function centsOf(typed: string): number | undefined {
  const [, yuan, fraction = ""] = /^\s*(\d{1,12})(?:\.(\d{1,2}))?\s*$/.exec(plainDigits(typed)) ?? [];
  return yuan === undefined ? undefined : Number(yuan) * 100 + Number(fraction.padEnd(2, "0"));
}

/** The part of a time that is shown. */
export type TimePart = "dateTime" | "time" | "date" | "hour";

const PARTS = {
  dateTime: {
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
    hour: "2-digit",
    minute: "2-digit",
    second: "2-digit",
  },
  time: { hour: "2-digit", minute: "2-digit", second: "2-digit" },
  date: { year: "numeric", month: "2-digit", day: "2-digit" },
  hour: { hour: "2-digit", minute: "2-digit" },
} as const satisfies Record<TimePart, Intl.DateTimeFormatOptions>;

const formats = new Map<string, Intl.DateTimeFormat>();

/** Returns a time in a time zone, such as `2026-11-23 14:03:22` in every language. */
export function formatTime(at: number, timeZone: string, part: TimePart): string {
  const key = `${timeZone} ${part}`;
  // This locale writes dates as ISO 8601 does, which English and Chinese readers both understand.
  const format =
    formats.get(key) ?? new Intl.DateTimeFormat("sv-SE", { timeZone, hourCycle: "h23", ...PARTS[part] });
  formats.set(key, format);
  return format.format(at);
}

/** Returns the name of the day of the week, such as `Monday`. */
export function formatWeekday(at: number, timeZone: string, language: Language): string {
  return new Intl.DateTimeFormat(LANGUAGE_TAGS[language], { timeZone, weekday: "long" }).format(at);
}

/** Returns the name of a time zone, such as `Asia/Shanghai (GMT+8)`. */
export function formatZone(timeZone: string, at: number): string {
  const parts = new Intl.DateTimeFormat("en", { timeZone, timeZoneName: "shortOffset" }).formatToParts(at);
  const offset = parts.find(({ type }) => type === "timeZoneName")?.value ?? "";
  return offset === "" ? timeZone : `${timeZone} (${offset})`;
}

/** The units of a duration in each language, the largest first. */
const UNITS = {
  en: [" days", " h", " min", " s"],
  zh: [" 天", " 小时", " 分钟", " 秒"],
} as const satisfies Record<Language, readonly string[]>;
const UNIT_SECONDS = [86_400, 3_600, 60, 1] as const;

/** Returns a duration in its two largest units, such as `5 days 17 h` or `5 天 17 小时`. */
export function formatDuration(milliseconds: number, language: Language): string {
  const seconds = Math.max(0, Math.floor(milliseconds / 1_000));
  const first = UNIT_SECONDS.findIndex((unit) => seconds >= unit);
  const parts = UNIT_SECONDS.map((unit, index) => {
    const within = index === 0 ? seconds : seconds % (UNIT_SECONDS[index - 1] ?? 1);
    return { count: Math.floor(within / unit), index };
  }).slice(first === -1 ? -1 : first, first === -1 ? undefined : first + 2);
  return parts
    .filter(({ count }, nth) => nth === 0 || count > 0)
    .map(({ count, index }) => {
      const unit = UNITS[language][index] ?? "";
      return String(count) + (count === 1 ? unit.replace("days", "day") : unit);
    })
    .join(" ");
}
