import { ApiError } from "../api/api-error.js";
import { addDays, isDay, isMonth, startOfDay, timeOf } from "../language/business-day.js";
import { centsOf } from "../language/format.js";

/** The filters of a list as the address and the form have them: days, yuan and words. */
export type ShownFilters = Readonly<Partial<Record<string, string>>>;

/** Why a filter cannot be read: a reason of the page, or the text of the server. */
export type FilterProblem =
  "day" | "period" | "amount" | "choice" | "text" | "end" | { readonly text: string };

/** Why filters of a list cannot be read, by their names. Without any, the list can be loaded. */
export type FilterProblems = Readonly<Partial<Record<string, FilterProblem>>>;

/** The names of filters in the address, by their names in the API. */
export type FilterNames = Readonly<Partial<Record<string, string>>>;

/** A member for the API, or nothing if the filter is empty or cannot be read. */
type Member<Name extends string, Value extends string> = { readonly [Key in Name]?: Value };

/** The longest text of a filter. */
const MAX_TEXT = 200;

/**
 * Reads the filters of a list.
 *
 * Each method returns a member for the API. A filter that cannot be read adds to `problems`. Then
 * neither the list nor its export may be loaded, because they would contain more rows than the
 * operator asked for.
 */
export function filterReader<Shown extends ShownFilters>(shown: Shown) {
  const problems: Partial<Record<string, FilterProblem>> = {};
  const names: Partial<Record<string, string>> = {};
  const read = <Name extends string, Value extends string>(
    member: Name,
    name: keyof Shown & string,
    problem: FilterProblem,
    valueOf: (text: string) => Value | undefined,
  ): Member<Name, Value> => {
    names[member] = name;
    const text = shown[name]?.trim() ?? "";
    const found: { [Key in Name]?: Value } = {};
    if (text === "") return found;
    const value = valueOf(text);
    if (value === undefined) problems[name] = problem;
    else found[member] = value;
    return found;
  };
  return {
    problems,
    names,
    /** Reads a word that must be one of `values`. */
    choice: <Name extends string, Value extends string>(
      member: Name,
      name: keyof Shown & string,
      values: readonly Value[],
    ) => read(member, name, "choice", (text) => values.find((one) => one === text)),
    text: <Name extends string>(member: Name, name: keyof Shown & string) =>
      read(member, name, "text", (text) =>
        text.length > MAX_TEXT || /[\p{Cc}\p{Surrogate}]/u.test(text) ? undefined : text,
      ),
    /** Reads a day as it is. */
    day: <Name extends string>(member: Name, name: keyof Shown & string) =>
      read(member, name, "day", (text) => (isDay(text) ? text : undefined)),
    /** Reads a month or a day as it is. */
    period: <Name extends string>(member: Name, name: keyof Shown & string) =>
      read(member, name, "period", (text) => (isDay(text) || isMonth(text) ? text : undefined)),
    /** Reads yuan as cents. */
    amount: <Name extends string>(member: Name, name: keyof Shown & string) =>
      read(member, name, "amount", (text) => centsOf(text)?.toString()),
    /**
     * Reads a day as the time of its start, or of its end, which is the start of the next day.
     *
     * A link may contain a time of day instead.
     */
    startOfDay: <Name extends string>(
      member: Name,
      name: keyof Shown & string,
      timeZone: string,
      isIncluded = false,
    ) =>
      read(member, name, "day", (text) =>
        isDay(text)
          ? startOfDay(addDays(text, isIncluded ? 1 : 0), timeZone)?.toString()
          : timeOf(text, timeZone)?.toString(),
      ),
    /** Checks that a range of days or amounts does not end before it begins. */
    range: (from: keyof Shown & string, until: keyof Shown & string): void => {
      const [start, end] = [shown[from]?.trim() ?? "", shown[until]?.trim() ?? ""];
      if (start === "" || end === "" || from in problems || until in problems) return;
      const [startCents, endCents] = [centsOf(start), centsOf(end)];
      const isReversed =
        startCents === undefined || endCents === undefined
          ? wholeTime(end, "T24:00") <= wholeTime(start, "T00:00")
          : endCents < startCents;
      if (isReversed) problems[until] = "end";
    },
  };
}

/** Returns a day with a time of day, as text that can be compared. */
function wholeTime(text: string, timeOfDay: string): string {
  return isDay(text) ? `${text}${timeOfDay}` : text;
}

/** Adds the server's refusal of a parameter to the problems, for the filter with this parameter. */
export function withRefusal(problems: FilterProblems, error: unknown, names: FilterNames): FilterProblems {
  if (!(error instanceof ApiError) || error.facts.parameter === undefined) return problems;
  const name = names[error.facts.parameter];
  return name === undefined ? problems : { ...problems, [name]: { text: error.message } };
}

/** Returns whether every filter can be read. */
export function areReadable(problems: FilterProblems): boolean {
  return Object.keys(problems).length === 0;
}
