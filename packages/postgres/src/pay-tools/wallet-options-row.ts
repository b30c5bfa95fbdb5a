import type { WalletOptions } from "@tillkit/core";
import { type OrderWalletOptions, storedWalletOptions } from "@tillkit/core/ports";
import { optionalText } from "../sql/row.js";
import type { SqlRow } from "../sql/sql-client.js";
import { UnreadableValue } from "../sql/unreadable-value.js";

/** The column of options. JSON text, not `jsonb`, keeps the members in the order of requests. */
const COLUMN = "wallet_options";

/** Returns the text that is stored for options. */
export function optionsText(options: WalletOptions | OrderWalletOptions | undefined): string | undefined {
  return options && JSON.stringify(options);
}

/** Reads the default options of a pay tool. */
export function optionsOf(row: SqlRow): WalletOptions | undefined {
  const text = optionalText(row, COLUMN);
  return text === undefined ? undefined : read(JSON.parse(text));
}

/** Reads the options of an order. */
export function orderOptionsOf(row: SqlRow): OrderWalletOptions | undefined {
  const text = optionalText(row, COLUMN);
  if (text === undefined) return undefined;
  const stored: unknown = JSON.parse(text);
  if (typeof stored !== "object" || stored === null || !("given" in stored) || !("sent" in stored))
    throw new UnreadableValue("The options of an order have no members given and sent.");
  return { given: read(stored.given), sent: read(stored.sent) };
}

function read(stored: unknown): WalletOptions {
  const parsed = storedWalletOptions().safeParse(stored);
  if (!parsed.success) throw new UnreadableValue("The options have members of a wrong type.");
  return parsed.data;
}
