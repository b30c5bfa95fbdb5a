import { type ColumnDef, tableFeatures, useTable } from "@tanstack/react-table";
import type { ReactNode } from "react";

const features = tableFeatures({});

/** A column of a {@link DataTable}. */
export interface Column<Row> {
  readonly id: string;
  readonly header: string;
  readonly cell: (row: Row) => ReactNode;
  /** Amounts and numbers are aligned at their right end. */
  readonly isNumber?: boolean;
  /** Its place on a narrow screen. If any column has one, columns without a place are hidden. */
  readonly place?: PhonePlace;
}

/**
 * A place in the three lines of a row on a narrow screen.
 *
 * The third line has room for two values at its start and one at its end.
 */
export type PhonePlace = "first" | "first-end" | "second" | "second-end" | "third" | "third-end";

interface DataTableProps<Row> {
  /** What the table shows, for screen readers. */
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly rowId: (row: Row) => string;
  /** What is shown instead of a table without rows. */
  readonly empty: ReactNode;
}

/**
 * A table whose rows become a list on narrow screens.
 *
 * The first link of each row is what `j` and `k` move between.
 */
export function DataTable<Row extends object>({ label, columns, rows, rowId, empty }: DataTableProps<Row>) {
  const definitions = columns.map(({ id, header, cell }): ColumnDef<typeof features, Row> => ({
    ...{ id, header },
    // An element, because the page's JSX runtime makes the texts of elements visible.
    cell: ({ row }) => <>{cell(row.original)}</>,
  }));
  const table = useTable({ features, columns: definitions, data: rows, getRowId: rowId });
  if (rows.length === 0) return <div className="empty">{empty}</div>;
  const numbers = new Set(columns.filter(({ isNumber }) => isNumber === true).map(({ id }) => id));
  const classOf = (id: string) => (numbers.has(id) ? "number" : undefined);
  const isCompact = columns.some(({ place }) => place !== undefined);
  return (
    <div className="table-frame">
      <table className={isCompact ? "table compact" : "table"} aria-label={label}>
        <thead>
          {table.getHeaderGroups().map((group) => (
            <tr key={group.id}>
              {group.headers.map((header) => (
                <th key={header.id} scope="col" className={classOf(header.column.id)}>
                  <table.FlexRender header={header} />
                </th>
              ))}
            </tr>
          ))}
        </thead>
        <tbody>
          {table.getRowModel().rows.map((row) => (
            <tr key={row.id}>
              {row.getAllCells().map((cell, nth) => (
                <td
                  key={cell.id}
                  className={classOf(cell.column.id)}
                  data-label={columns[nth]?.header}
                  data-place={columns[nth]?.place}
                >
                  <table.FlexRender cell={cell} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
