import type { ParseState } from "@tillkit/wallet-kit";
import { err, ok } from "neverthrow";

/** The expected seller and day of a bill. */
export interface BillSubject {
  /** The seller id. Account numbers of the seller begin with it. */
  readonly sellerId: string;
  /** `YYYY-MM-DD`. */
  readonly day: string;
}

/**
 * Reads one file of a bill. The title selects the table.
 *
 * The head of the file must contain the expected seller and day.
 */
export function fileParser<L>(of: BillSubject, tables: ReadonlyMap<string, ParseState<L>>): ParseState<L> {
  return (title) => {
    const table = tables.get(title.trim());
    if (table === undefined) return err("it is not the title of this type of bill");
    return ok({ next: head(of, table, { seller: false, day: false }) });
  };
}

/** Whether the lines so far contain the expected seller and the expected day. */
interface HeadChecks {
  readonly seller: boolean;
  readonly day: boolean;
}

function head<L>(of: BillSubject, table: ParseState<L>, checked: HeadChecks): ParseState<L> {
  return (text) => {
    if (!text.startsWith("#")) return err("the line that starts the table is missing");
    const account = /^#账号：\[(\d+)\]/.exec(text)?.[1];
    if (account !== undefined)
      return account.startsWith(of.sellerId)
        ? ok({ next: head(of, table, { ...checked, seller: true }) })
        : err("it is the bill of another seller");
    const [, year, month, day] = /^#起始日期：\[(\d{4})年(\d\d)月(\d\d)日 00:00:00\]/.exec(text) ?? [];
    if (year !== undefined)
      return `${year}-${month}-${day}` === of.day
        ? ok({ next: head(of, table, { ...checked, day: true }) })
        : err("it is the bill of another day");
    if (!text.startsWith("#-----")) return ok({ next: head(of, table, checked) });
    return checked.seller && checked.day
      ? ok({ next: table })
      : err("the bill does not name its seller and its day");
  };
}
