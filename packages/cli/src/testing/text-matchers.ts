import { expect } from "vitest";

/** Matches a text that contains `part`. */
export const containing = (part: string): unknown => expect.stringContaining(part);

/** Matches a text that has the form `form`. */
export const matching = (form: RegExp): unknown => expect.stringMatching(form);
