import { visible } from "@tillkit/core/text";
import * as react from "react/jsx-runtime";

/*
 * The JSX runtime of the page. It prints texts by the same rule as the command line: control
 * characters and invisible characters, such as those that change the direction of text, appear as
 * `\uXXXX`. All components use this runtime, so the rule applies everywhere.
 */

export type { JSX } from "react/jsx-runtime";
export const { Fragment } = react;

/** Creates an element with at most one child. */
export function jsx(...[type, props, key]: Parameters<typeof react.jsx>): ReturnType<typeof react.jsx> {
  return react.jsx(type, withVisibleTexts(props), key);
}

/** Creates an element with several children. */
export function jsxs(...[type, props, key]: Parameters<typeof react.jsxs>): ReturnType<typeof react.jsxs> {
  return react.jsxs(type, withVisibleTexts(props), key);
}

/** The properties that people read. Fields keep their `value`, which is sent as it is. */
const SHOWN = ["children", "title", "aria-label"];

function withVisibleTexts(props: unknown): unknown {
  if (typeof props !== "object" || props === null) return props;
  const changed = Object.entries(props).filter(([name, value]) => SHOWN.includes(name) && isUnsafe(value));
  if (changed.length === 0) return props;
  return Object.assign({}, props, Object.fromEntries(changed.map(([name, value]) => [name, shown(value)])));
}

/** Returns whether a text, or a text in a list, contains a character that must be escaped. */
function isUnsafe(value: unknown): boolean {
  if (typeof value === "string") return visible(value) !== value;
  return Array.isArray(value) && value.some(isUnsafe);
}

function shown(value: unknown): unknown {
  if (typeof value === "string") return visible(value);
  return Array.isArray(value) ? value.map(shown) : value;
}
