import type { ReactNode } from "react";

/** A column of a {@link DataTable}. */
export interface Column<Row> {
  readonly id: string;
  readonly header: string;
  readonly cell: (row: Row) => ReactNode;
  /** Amounts and numbers are aligned at their right end. */
  readonly isNumber?: boolean;
  /** A number that follows from the other numbers. It is omitted if the table would be too wide. */
  readonly isSpare?: boolean;
  /** Buttons need no visible header. */
  readonly isAction?: boolean;
  /**
   * Its place on a narrow screen. If any column has a place, columns without a place are hidden.
   */
  readonly place?: PhonePlace;
}

/**
 * A place in the three lines of a row on a narrow screen.
 *
 * The third line has room for two values at its start and one at its end. A value of `fourth` has
 * lines of its own below them, and is not shortened.
 */
export type PhonePlace = "first" | "first-end" | "second" | "second-end" | "third" | "third-end" | "fourth";

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
 * The keys `j` and `k` move between the first links of the rows.
 */
export function DataTable<Row extends object>({ label, columns, rows, rowId, empty }: DataTableProps<Row>) {
  if (rows.length === 0) return <div className="empty">{empty}</div>;
  const classOf = ({ isNumber = false, isSpare = false, isAction = false }: Column<Row>) =>
    isNumber ? (isSpare ? "number spare" : "number") : isAction ? "action" : undefined;
  const isCompact = columns.some(({ place }) => place !== undefined);
  return (
    <div className="table-frame">
      <table className={isCompact ? "table compact" : "table"} aria-label={label}>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column.id} scope="col" className={classOf(column)}>
                {column.isAction === true ? (
                  <span className="visually-hidden">{column.header}</span>
                ) : (
                  column.header
                )}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={rowId(row)}>
              {columns.map((column) => (
                <td
                  key={column.id}
                  className={classOf(column)}
                  data-label={column.header}
                  data-place={column.place}
                >
                  {/* Not a component, so that a cell keeps its state when rows load again. */}
                  {column.cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
