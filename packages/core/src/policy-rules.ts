import { formatJsonPath } from "./text/json-path.js";

/** A setting of a policy that is not usable. */
export interface PolicyProblem {
  /** The setting, such as `sourceFromTokens[1]`. */
  readonly path: string;
  /** The rule that the value breaks, such as `must not repeat an earlier token`. */
  readonly rule: string;
}

/** Which values a setting may have. */
export interface PolicyRule {
  /** The values that are accepted, in words, such as `2 min to 15 d`. */
  readonly range: string;
  /** Returns the problems of a value, which may have any type. */
  readonly problems: (value: unknown, path: string) => readonly PolicyProblem[];
}

/** The bounds of a number, and the reason for a bound. */
export interface Bounds {
  readonly least: number;
  readonly most: number;
  readonly reason?: string;
}

const UNITS = [
  ["d", 86_400_000],
  ["h", 3_600_000],
  ["min", 60_000],
  ["s", 1_000],
] as const;

/** Formats milliseconds in the largest unit that divides them, such as `15 d`. */
function durationText(milliseconds: number): string {
  const unit = UNITS.find(([, length]) => milliseconds >= length && milliseconds % length === 0);
  return unit === undefined ? `${milliseconds} ms` : `${milliseconds / unit[1]} ${unit[0]}`;
}

function isWhole(value: unknown, { least, most }: Bounds): boolean {
  return Number.isSafeInteger(value) && typeof value === "number" && value >= least && value <= most;
}

function because({ reason }: Bounds): string {
  return reason === undefined ? "" : `: ${reason}`;
}

function checked(range: string, rule: string, fits: (value: unknown) => boolean): PolicyRule {
  return { range, problems: (value, path) => (fits(value) ? [] : [{ path, rule }]) };
}

/** A whole number of something, such as `characters`. */
export function count(bounds: Bounds, unit = ""): PolicyRule {
  const { least, most } = bounds;
  const number = unit === "" ? "a whole number" : `a whole number of ${unit}`;
  const rule = `must be ${number} from ${least} to ${most}${because(bounds)}`;
  return checked(`${least} to ${most}`, rule, (value) => isWhole(value, bounds));
}

/** A duration in milliseconds. */
export function duration(bounds: Bounds): PolicyRule {
  const { least, most } = bounds;
  const [from, to] = [durationText(least), durationText(most)];
  const rule = `must be a whole number of milliseconds from ${least} (${from}) to ${most} (${to})${because(bounds)}`;
  return checked(`${least === 0 ? "0" : from} to ${to}`, rule, (value) => isWhole(value, bounds));
}

/** Durations in milliseconds, at least one, in ascending order. */
export function durations(bounds: Bounds): PolicyRule {
  const one = duration(bounds);
  return {
    range: `each ${one.range}`,
    problems: (value, path) => {
      if (!isList(value)) return [{ path, rule: "must be a list of numbers" }];
      if (value.length === 0) return [{ path, rule: "must contain at least one number" }];
      const wrong = value.flatMap((member, index) => one.problems(member, `${path}[${index}]`));
      const before = value.find((age, index) => index > 0 && Number(age) <= Number(value[index - 1]));
      return wrong.length === 0 && before !== undefined
        ? [{ path, rule: "must be in ascending order" }]
        : wrong;
    },
  };
}

/** A text that `fits`. */
export function text(range: string, rule: string, fits: (value: string) => boolean): PolicyRule {
  return checked(range, rule, (value) => typeof value === "string" && fits(value));
}

/** True or false. */
export function flag(): PolicyRule {
  return checked("true or false", "must be true or false", (value) => typeof value === "boolean");
}

/** A list of texts that `one` accepts. */
export function texts(one: PolicyRule): PolicyRule {
  return {
    range: one.range,
    problems: (value, path) =>
      isList(value)
        ? value.flatMap((member, index) => one.problems(member, `${path}[${index}]`))
        : [{ path, rule: "must be a list of texts" }],
  };
}

/** The members of an object: each has its own rule. */
export interface MemberRules {
  readonly [name: string]: PolicyRule & { readonly isOptional?: boolean };
}

/** An object with these members and no others. */
export function members(rules: MemberRules): PolicyRule {
  return {
    range: "",
    problems: (value, path) =>
      isObject(value) ? memberProblems(rules, value, path) : [{ path, rule: "must be an object" }],
  };
}

/** Returns the problems of every member of an object, including unknown members. */
export function memberProblems(
  rules: MemberRules,
  value: Readonly<Record<string, unknown>>,
  path: string,
): readonly PolicyProblem[] {
  const at = (name: string) => (path === "" ? name : formatJsonPath([path, name]));
  const unknown = Object.keys(value)
    .filter((name) => !Object.hasOwn(rules, name))
    .map((name) => ({ path: at(name), rule: "is not a known name" }));
  const wrong = Object.entries(rules).flatMap(([name, { problems, isOptional = false }]) =>
    isOptional && value[name] === undefined ? [] : problems(value[name], at(name)),
  );
  return [...unknown, ...wrong];
}

/** A member that may be absent. */
export function optional(rule: PolicyRule): PolicyRule & { readonly isOptional: true } {
  return { ...rule, isOptional: true };
}

/** A list of objects. */
export function listOf(one: PolicyRule): PolicyRule {
  return {
    range: one.range,
    problems: (value, path) =>
      isList(value)
        ? value.flatMap((member, index) => one.problems(member, `${path}[${index}]`))
        : [{ path, rule: "must be a list" }],
  };
}

/** An object whose names `name` accepts, and whose values `one` accepts. */
export function record(name: PolicyRule, one: PolicyRule): PolicyRule {
  return {
    range: one.range,
    problems: (value, path) =>
      isObject(value)
        ? Object.entries(value).flatMap(([key, member]) => [
            ...name.problems(key, `${path}.${key}`),
            ...one.problems(member, `${path}.${key}`),
          ])
        : [{ path, rule: "must be an object" }],
  };
}

function isList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value);
}

/** Returns whether a value is an object with members. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
