import { Readable } from "node:stream";
import { type DailyCount, parseInput } from "@tillkit/core";
import { dailyCountInput } from "@tillkit/core/operators";
import fc from "fast-check";
import { openCsvCounts } from "../../../cli/src/csv-counts.js";
import { openTargetBy, reportBroken, type FuzzTarget } from "./fuzz-target.js";
import { type ByteChange, byteChanges, changedBytes } from "./byte-changes.js";
import { hostileText } from "./hostile.js";
import { visible } from "./requests.js";

interface FuzzCase {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
  readonly newline: string;
  readonly quoted: boolean;
  readonly app: string | undefined;
  readonly bytes: readonly ByteChange[];
  readonly pieces: number;
}

const COLUMNS = ["appId", "store", "date", "newDownloads", "updateDownloads"];
const FIELDS = ["app_1", "store_01", "2026-01-14", "5", "7"];

/** The reader of files with download counts. */
export const countsFile: FuzzTarget = {
  name: "counts-file",
  share: 4,
  open: async () =>
    openTargetBy<FuzzCase>({
      cases: fc.record({
        columns: fc.oneof(
          { weight: 3, arbitrary: fc.constantFrom(COLUMNS, COLUMNS.slice(1)) },
          {
            weight: 1,
            arbitrary: fc.array(fc.oneof(fc.constantFrom(...COLUMNS), hostileText), { maxLength: 7 }),
          },
        ),
        rows: fc.array(
          fc.oneof(
            { weight: 2, arbitrary: fc.constantFrom(FIELDS, FIELDS.slice(1)) },
            {
              weight: 1,
              arbitrary: fc.array(fc.oneof(fc.constantFrom(...FIELDS), hostileText), { maxLength: 7 }),
            },
          ),
          { maxLength: 6 },
        ),
        newline: fc.constantFrom("\n", "\r\n", "\r"),
        quoted: fc.boolean(),
        app: fc.constantFrom(undefined, "app_1", ""),
        bytes: fc.oneof({ weight: 2, arbitrary: fc.constant([]) }, { weight: 1, arbitrary: byteChanges }),
        pieces: fc.integer({ min: 1, max: 5 }),
      }),
      requestsIn: () => 1,
      play,
      toText: (fuzzCase) =>
        `--app ${fuzzCase.app ?? "(none)"}\n${visible(Buffer.from(bytesOf(fuzzCase)).toString("latin1"))}`,
    }),
};

async function play(fuzzCase: FuzzCase): Promise<void> {
  const bytes = bytesOf(fuzzCase);
  const size = Math.max(1, Math.ceil(bytes.length / fuzzCase.pieces));
  const parts = Array.from({ length: fuzzCase.pieces }, (_, index) =>
    Buffer.from(bytes.subarray(index * size, (index + 1) * size)),
  );
  const { batches, problems } = openCsvCounts({ stream: Readable.from(parts) }, fuzzCase.app);
  const counts: DailyCount[] = [];
  let refused = false;
  try {
    for await (const batch of batches) counts.push(...batch);
  } catch (error) {
    refused = true;
    if (problems.total === 0 || problems.first.length === 0)
      reportBroken("an error of a file has a line number", error instanceof Error ? error.stack : error);
  }
  if (refused !== problems.total > 0) reportBroken("a file with an invalid line is rejected", problems);
  if (problems.first.some(({ line, message }) => !(line >= 1) || message === ""))
    reportBroken("an error of a file has a line number", problems);
  // The file is small, so the reader must have read all of it before it returns anything.
  if (refused && counts.length > 0)
    reportBroken("nothing of a file with an invalid line is imported", counts);
  for (const count of counts)
    if (parseInput(dailyCountInput(), { ...count }).isErr())
      reportBroken("only valid counts are imported", count);
}

function bytesOf({ columns, rows, newline, quoted, bytes }: FuzzCase): Uint8Array {
  const field = (text: string) => (quoted ? `"${text.replaceAll('"', '""')}"` : text);
  const text = [columns, ...rows].map((row) => row.map(field).join(",")).join(newline);
  return changedBytes(new Uint8Array(Buffer.from(text)), bytes);
}
