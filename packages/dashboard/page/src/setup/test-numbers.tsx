import type { Schema } from "../api/routes.js";
import { useRead } from "../api/use-read.js";
import { useTexts } from "../language/catalogue.js";
import { type Column, DataTable } from "../ui/data-table.js";
import { Loaded } from "../ui/loaded.js";
import { Time } from "../ui/time.js";
import { SETUP_TEXTS } from "./messages.js";

/** The phone numbers that sign in with a fixed code. */
export function TestNumbers() {
  const texts = useTexts(SETUP_TEXTS);
  const query = useRead("/api/setup/test-numbers", {});
  const columns: readonly Column<Schema<"TestNumber">>[] = [
    {
      id: "number",
      place: "first",
      header: texts.number,
      cell: ({ mobileNo }) => <span className="mono">{mobileNo}</span>,
    },
    {
      id: "until",
      place: "first-end",
      header: texts.validUntil,
      cell: ({ expiresAt }) => (expiresAt === undefined ? texts.always : <Time at={expiresAt} />),
    },
  ];
  const empty = (
    <>
      <p>{texts.noTestNumbers}</p>
      <p className="muted">{texts.noTestNumbersHelp}</p>
    </>
  );
  return (
    <Loaded query={query}>
      {({ items }) => (
        <DataTable
          label={texts.testNumbers}
          columns={columns}
          rows={items}
          empty={empty}
          rowId={({ mobileNo }) => mobileNo}
        />
      )}
    </Loaded>
  );
}
