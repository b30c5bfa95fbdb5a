import * as z from "zod";
import { issue, lazySchema, singleLineText } from "../shared/input.js";
import { OPERATOR_ROLES } from "./operator.js";

/**
 * The schema of an operator's name: 1 to 64 characters of `A-Z a-z 0-9 . _ @ -`.
 *
 * Converts other Unicode forms of the characters, such as wide letters of a Chinese keyboard.
 */
export const operatorName = lazySchema(() =>
  singleLineText(64)
    .transform((name) => name.normalize("NFKC"))
    .refine((name) => /^[\w.@-]{1,64}$/.test(name), issue("shape")),
);

/**
 * The schema of a new password: 12 to 128 characters.
 *
 * The upper limit bounds the work of hashing.
 */
export const newPassword = lazySchema(() =>
  singleLineText(128).refine((password) => [...password].length >= 12, issue("length")),
);

/** The schema of the role and the apps of an operator. */
export const operatorRights = lazySchema(() => ({
  role: z.enum(OPERATOR_ROLES, issue("shape")),
  apps: z.array(singleLineText(64)).max(100, issue("length")).optional(),
}));
