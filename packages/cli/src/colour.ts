import { styleText } from "node:util";
import type { Io, MaybeTerminal } from "./io.js";

/** Returns whether to colour a stream: if it is a terminal, and `NO_COLOR` is not set. */
export function isColoured(stream: MaybeTerminal, { env }: Pick<Io, "env">): boolean {
  return stream.isTTY === true && (env["NO_COLOR"] ?? "") === "";
}

/** Formats the title of a section of the help. */
export function titleText(text: string): string {
  return styleText("bold", text, { validateStream: false });
}

/** Formats the message of a failure. */
export function failureText(text: string): string {
  return styleText("red", text, { validateStream: false });
}
